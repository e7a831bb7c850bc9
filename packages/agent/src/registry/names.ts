import { checkName, foldName } from './name.ts'

/** The names that are taken, and by whom. Two that differ in case only are one. */
export class TakenNames {
  readonly #taken = new Map<string, { name: string; owner: string }>()

  /** Takes all of these names for one owner, or throws and takes none. */
  take(claims: readonly NameClaim[]): void {
    const before = new Map(this.#taken)
    try {
      for (const claim of claims) this.#takeOne(claim)
    } catch (error) {
      this.#taken.clear()
      for (const [key, value] of before) this.#taken.set(key, value)
      throw error
    }
  }

  #takeOne({ name, owner, what, again }: NameClaim): void {
    checkName(name, what)
    const key = foldName(name)
    const other = this.#taken.get(key)
    if (other && (other.owner !== owner || (other.name === name && !again)))
      throw new TypeError(collision({ name, owner }, other))
    if (!other) this.#taken.set(key, { name, owner })
  }

  release(owners: ReadonlySet<string>): void {
    for (const [key, { owner }] of this.#taken) if (owners.has(owner)) this.#taken.delete(key)
  }
}

export interface NameClaim {
  readonly name: string
  /** The name of the tool, or the id of the toolkit, that it belongs to. */
  readonly owner: string
  readonly what?: string
  /** Its owner may have it already. */
  readonly again?: boolean
}

function collision(one: NameClaim, other: NameClaim): string {
  return `${described(one)} and ${described(other)} cannot be told apart: rename one of them, or remove it first.`
}

function described({ name, owner }: NameClaim): string {
  const said = JSON.stringify(name)
  return name === owner ? said : `${said} (of ${JSON.stringify(owner)})`
}
