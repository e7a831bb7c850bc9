import type { ToolContext } from '@toolglot/agent'

/** What a run remembers, as its records keep it. */
export interface Memory {
  readonly remember: NonNullable<ToolContext['remember']>
  /** The latest value of each key. */
  readonly remembered: () => ReadonlyMap<string, unknown>
}

/** Creates the memory of a run. */
export function memory(): Memory {
  const texts = new Map<string, string>()
  return {
    remember: (key, value) => void texts.set(key, JSON.stringify(value)),
    remembered: () => new Map([...texts].map(([key, text]) => [key, JSON.parse(text) as unknown])),
  }
}
