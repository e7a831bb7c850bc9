/** Whether this machine has ⌘ where others have Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
