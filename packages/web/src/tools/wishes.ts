/** What a tool should become, while the settings are being written. */
export interface Wish {
  readonly isOn: boolean
}
/** The last wish for each tool. */
export type Wishes = ReadonlyMap<string, Wish>

/** The wishes without one that has come true or failed. Tools for which there is a later wish keep that. */
export function withoutWish(wishes: Wishes, wish: Wish): Wishes {
  return new Map([...wishes].filter(([, each]) => each !== wish))
}
