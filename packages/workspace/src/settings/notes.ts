import type { SettingsProblem } from './settings-file.ts'

/** Collects the problems of a settings file. Only the first ones: a file may be wrong in every character. */
export class Notes {
  readonly problems: SettingsProblem[] = []
  readonly warnings: SettingsProblem[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  readonly problem = (line: number, reason: string): void => this.#add(this.problems, line, reason)
  readonly warning = (line: number, reason: string): void => this.#add(this.warnings, line, reason)

  #add(list: SettingsProblem[], line: number, reason: string): void {
    if (list.length < MAX) list.push({ file: this.#file, line, reason })
  }
}

const MAX = 20
