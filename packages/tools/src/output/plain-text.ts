/**
 * Removes terminal escape codes (colors, titles, cursor moves) from text that arrives in chunks.
 */
export class PlainText {
  #state: 'text' | 'escape' | 'sequence' | 'string' = 'text'

  feed(text: string): string {
    if (this.#state === 'text' && !text.includes(ESCAPE) && !text.includes(SEQUENCE)) return text
    let plain = ''
    let from = 0
    for (let place = 0; place < text.length; place++) {
      const was = this.#state
      this.#state = this.#after(text[place]!)
      if (was === 'text' && this.#state !== 'text') plain += text.slice(from, place)
      // A character that cannot be part of a code ends it and is kept.
      if (was !== 'text' && this.#state === 'text') from = isPart(text[place]!) ? place + 1 : place
    }
    return this.#state === 'text' ? plain + text.slice(from) : plain
  }

  #after(character: string): 'text' | 'escape' | 'sequence' | 'string' {
    switch (this.#state) {
      case 'text':
        if (character === ESCAPE) return 'escape'
        return character === SEQUENCE ? 'sequence' : 'text'
      case 'escape':
        if (character === '[') return 'sequence'
        if (']PX^_'.includes(character)) return 'string'
        // `ESC ( B`: intermediate characters do not end it.
        return isBetween(character, ' ', '/') || character === ESCAPE ? 'escape' : 'text'
      case 'sequence':
        if (character === ESCAPE) return 'escape'
        return isBetween(character, ' ', '?') ? 'sequence' : 'text'
      case 'string':
        if (character === ESCAPE) return 'escape'
        return character === BELL || character === '\n' ? 'text' : 'string'
    }
  }
}

const ESCAPE = '\u001B'
const SEQUENCE = '\u009B'
const BELL = '\u0007'

function isPart(character: string): boolean {
  return character === BELL || isBetween(character, ' ', '~')
}

function isBetween(character: string, from: string, to: string): boolean {
  return character >= from && character <= to
}
