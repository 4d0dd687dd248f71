// Labels of the choices of the option "rotate".

export const rotateChoices = {
  rotate: {
    joint: "This joint",
    "keep ends": "Keep hands and feet in place",
    body: "Solve the body for this orientation",
  },
};
