import { lower } from './marks.ts'

interface Node<Thing> {
  readonly next: Map<number, Node<Thing>>
  readonly things: Thing[]
}

/** Finds what begins at a place among many things at once, whatever the case of its letters. */
export class Openings<Thing> {
  readonly #root: Node<Thing> = { next: new Map(), things: [] }

  add(mark: string, thing: Thing): void {
    let node = this.#root
    for (let i = 0; i < mark.length; i++) {
      const code = lower(mark.charCodeAt(i))
      let next = node.next.get(code)
      if (!next) node.next.set(code, (next = { next: new Map(), things: [] }))
      node = next
    }
    node.things.push(thing)
  }

  /** What begins at `at`; `open` if more text could show more. */
  find(text: string, at: number, end: number): { things: Thing[]; open: boolean } {
    const things: Thing[] = []
    let node: Node<Thing> | undefined = this.#root
    for (let i = at; node; i++) {
      if (node.things.length > 0) things.push(...node.things)
      if (node.next.size === 0) break
      if (i >= end) return { things, open: true }
      node = node.next.get(lower(text.charCodeAt(i)))
    }
    return { things, open: false }
  }
}
