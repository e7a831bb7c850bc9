/** Files that list, as `.gitignore` does, what models must not read. They can only deny. */
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
