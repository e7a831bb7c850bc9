/**
 * JSON with sorted keys, so that equal values have equal text. Throws a TypeError for a cyclic
 * value.
 */
export function canonicalJson(value: unknown): string {
  const texts: string[] = []
  const open = new Set<object>()
  // The rest of the text, last part first. Recursion would overflow the stack, since values can be
  // nested deeply.
  const pending: Part[] = [{ value }]
  for (let part = pending.pop(); part; part = pending.pop()) {
    const { text, closes, value: next } = part
    if (closes) open.delete(closes)
    if (text !== undefined) texts.push(text)
    else if (typeof next !== 'object' || next === null) texts.push(JSON.stringify(next) ?? 'null')
    else begin(next)
  }
  return texts.join('')

  function begin(container: object): void {
    if (open.has(container)) throw new TypeError('The value contains itself, so it cannot be JSON.')
    open.add(container)
    const isList = Array.isArray(container)
    const members = isList
      ? Array.from(container, (member: unknown) => ({ name: '', member }))
      : Object.entries(container)
          .filter(([, member]) => member !== undefined)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, member]) => ({ name: `${JSON.stringify(key)}:`, member: member as unknown }))
    texts.push(isList ? '[' : '{')
    pending.push({ text: isList ? ']' : '}', closes: container })
    for (let at = members.length - 1; at >= 0; at--) {
      const { name, member } = members[at]!
      pending.push({ value: member }, { text: at === 0 ? name : `,${name}` })
    }
  }
}

interface Part {
  readonly text?: string
  readonly value?: unknown
  readonly closes?: object
}
