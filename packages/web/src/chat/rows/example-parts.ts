import type { CallPart, TurnItem } from '@toolglot/react/view'

/** A call for tests. */
export function callPart({
  id = 'c1',
  name = 'Read',
  args = { file_path: 'a.txt' },
  repairs = [],
  ...rest
}: Partial<CallPart> & {
  readonly args?: Record<string, unknown>
  readonly repairs?: readonly string[]
} = {}): CallPart {
  const raw = JSON.stringify({ name, arguments: args })
  const call = { id, name, args, repairs, raw, protocol: 'hermes', complete: true } as const
  return { type: 'call', id, name, written: '', call: { ...call, span: [0, raw.length] }, ...rest }
}

/** A turn for tests. */
export function turnItem({ turn = 0, ...rest }: Partial<TurnItem> = {}): TurnItem {
  return { type: 'turn', id: `turn-${turn}`, turn, parts: [], started: 0, isOpen: false, ...rest }
}
