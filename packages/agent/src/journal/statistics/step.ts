/** What a record is about. */
export interface Step {
  readonly type: 'setup' | 'turn' | 'summary' | 'call' | 'approval' | 'question' | 'end'
  /** The turn that it belongs to. */
  readonly turn?: number
}

/** What a record is about, by its key; undefined if it does not matter here. */
export function stepOf(key: string): Step | undefined {
  const [first, number = '', third, fourth, fifth, , ...more] = key.split('/', MAX_PARTS)
  if (more.length > 0) return undefined
  if (first === 'run' || first === 'resume') return { type: 'setup' }
  if (first === 'end') return { type: 'end' }
  if (!/^\d+$/.test(number)) return undefined
  // A last turn without tools is never copied.
  const turn = first === 'final' ? Infinity : Number(number)
  if (first === 'compact') return key.endsWith('/summary') ? { type: 'summary', turn } : undefined
  if (first !== 'turn' && first !== 'final') return undefined
  if (third === undefined) return { type: 'turn', turn }
  if (third !== 'call' || fourth === undefined) return undefined
  if (fifth === undefined) return { type: 'call', turn }
  return fifth === 'approval' || fifth === 'question' ? { type: fifth, turn } : undefined
}

const MAX_PARTS = 8

/** The key of the call that an approval or a question belongs to. */
export function callOf(key: string): string {
  return key.split('/', 4).join('/')
}
