// The five regions of the page; each part of the studio fills its own.

export interface Shell {
  bar: HTMLElement; // menus, tools, palette
  left: HTMLElement; // scene, constraints, history
  stage: HTMLElement; // the viewport, with notes and hints over it
  right: HTMLElement; // options, selection, limits
  time: HTMLElement; // transport, dope sheet, graph
}

export function buildShell(root: HTMLElement): Shell {
  root.classList.add("shell");
  const place = (name: string, tag = "div") => {
    const made = document.createElement(tag);
    made.className = name;
    root.append(made);
    return made;
  };
  return {
    bar: place("bar", "header"),
    left: place("left", "aside"),
    stage: place("stage", "main"),
    right: place("right", "aside"),
    time: place("time", "section"),
  };
}
