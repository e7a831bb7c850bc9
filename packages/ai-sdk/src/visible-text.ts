import { createRestorer, type Restorer, type ResultOptions } from '@toolglot/core'

/**
 * The text of a reply as people see it. Marks that were made inert in the prompt, and that the model copied, are restored. White
 * space around reasoning and calls is part of how a model writes these, not of the text.
 */
export class VisibleText {
  /** Everything so far. */
  all = ''
  /** Set once there was reasoning or a call: white space after it is left out, unless it is between texts. */
  isAfterOther = false
  readonly #options: ResultOptions
  #restorer: Restorer | undefined
  /** White space at the end, as long as no text follows: in pieces, because there may be any number. */
  #space: string[] = []

  constructor(options: ResultOptions) {
    this.#options = options
  }

  /** Takes more of the text. Returns what can be shown now. */
  add(delta: string): string {
    return this.#show((this.#restorer ??= createRestorer(this.#options)).feed(delta))
  }

  /** Something else follows: returns what was held back of the text before it. */
  pause(): string {
    const rest = this.#restorer?.end() ?? ''
    this.#restorer = undefined
    return this.#show(rest)
  }

  /** Returns the rest. */
  end(hasCalls: boolean): string {
    const text = this.pause()
    const isLeftOut = hasCalls || (this.all === '' && this.isAfterOther)
    const space = isLeftOut ? '' : this.#space.join('')
    this.#space = []
    return text + space
  }

  #show(text: string): string {
    const end = text.trimEnd().length
    if (end === 0) {
      if (text !== '') this.#space.push(text)
      return ''
    }
    const whole = this.#space.join('') + text.slice(0, end)
    this.#space = end < text.length ? [text.slice(end)] : []
    const shown = this.all === '' && this.isAfterOther ? whole.trimStart() : whole
    this.all += shown
    return shown
  }
}
