export function startKeyboard(): void {}
