/** Files in a folder that say, as `.gitignore` does, what in it is not for models. They can only deny. */
export const IGNORE_FILES: readonly string[] = [
  '.aiignore',
  '.agentignore',
  '.cursorignore',
  '.codeiumignore',
  '.geminiignore',
  '.qwenignore',
  '.rooignore',
  '.clineignore',
]
