import { createRestorer, type Restorer, type ResultOptions } from '@toolglot/core'

/**
 * The visible text of a reply. Inert marks that the model copied from the prompt are restored.
 * White space around reasoning and calls is not part of the text.
 */
export class VisibleText {
  /** The beginning of the text shown so far, up to MAX_SHOWN characters. */
  shown = ''
  readonly #options: ResultOptions
  /** The separator between this text and the text before it. */
  readonly #separator: string
  #restorer: Restorer | undefined
  /** Text held back until a call follows. */
  #held: string[] | undefined
  /**
   * Trailing white space, held back until more text follows. Kept in pieces, because there may be a
   * lot of it.
   */
  #space: string[] = []
  #isAfterOther = false

  constructor(options: ResultOptions, { hold = false, isContinued = false }: TextOptions = {}) {
    this.#options = options
    this.#held = hold ? [] : undefined
    this.#separator = isContinued ? '\n\n' : ''
  }

  /** Adds text. Returns the part that can be shown now. */
  add(delta: string): string {
    return this.#show((this.#restorer ??= createRestorer(this.#options)).feed(delta))
  }

  /** Called when reasoning or another segment follows. Returns the rest of the text before it. */
  pause(): string {
    const text = this.#show(this.#restored())
    this.#isAfterOther = true
    return text
  }

  /** Called when a call follows. Returns all the text held back so far. */
  release(): string {
    const text = this.#unheld()
    this.#isAfterOther = true
    return text
  }

  /** Returns the rest of the text, without white space after calls. */
  end(hasCalls: boolean): string {
    const text = this.#unheld()
    const space = hasCalls || this.#isFirst ? '' : this.#space.join('')
    this.#space = []
    this.#remember(space)
    return text + space
  }

  /** True if nothing has been shown yet and the next text is not at the beginning of the reply. */
  get #isFirst(): boolean {
    return this.shown === '' && this.#isAfterOther
  }

  #unheld(): string {
    const text = (this.#held?.join('') ?? '') + this.#restored()
    this.#held = undefined
    return this.#show(text)
  }

  #restored(): string {
    const rest = this.#restorer?.end() ?? ''
    this.#restorer = undefined
    return rest
  }

  #show(text: string): string {
    if (text === '') return ''
    if (this.#held) {
      this.#held.push(text)
      return ''
    }
    const end = text.trimEnd().length
    if (end === 0) {
      this.#space.push(text)
      return ''
    }
    const whole = this.#space.join('') + text.slice(0, end)
    this.#space = end < text.length ? [text.slice(end)] : []
    const separator = this.shown === '' ? this.#separator : ''
    const shown = separator + (this.#isFirst ? whole.trimStart() : whole)
    this.#remember(shown)
    return shown
  }

  #remember(text: string): void {
    if (this.shown.length < MAX_SHOWN) this.shown += text
  }
}

interface TextOptions {
  /** Hold the text back until a call follows. Default: false. */
  readonly hold?: boolean
  /** True if visible text was shown before this text. Default: false. */
  readonly isContinued?: boolean
}

/**
 * The maximum number of characters to remember. A reply with longer text is printed again, as if it
 * had been changed.
 */
const MAX_SHOWN = 64 << 10
