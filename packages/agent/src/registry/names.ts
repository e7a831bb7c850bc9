import { checkToolName } from '../tool/tool-name.ts'

/** The names that are taken, and their owners. Names that differ only in case collide. */
export class TakenNames {
  readonly #taken = new Map<string, { name: string; owner: string }>()

  /** Takes all of these names, or throws and takes none. */
  take(claims: readonly NameClaim[]): void {
    const added: string[] = []
    try {
      for (const claim of claims) {
        const key = this.#takeOne(claim)
        if (key !== undefined) added.push(key)
      }
    } catch (error) {
      for (const key of added) this.#taken.delete(key)
      throw error
    }
  }

  /** Returns the key of the name, if it was not taken before. */
  #takeOne({ name, owner, what, again }: NameClaim): string | undefined {
    checkToolName(name, what)
    const key = foldName(name)
    const other = this.#taken.get(key)
    if (other && (other.owner !== owner || (other.name === name && !again)))
      throw new TypeError(collision({ name, owner }, other))
    if (other) return undefined
    this.#taken.set(key, { name, owner })
    return key
  }

  release(owners: ReadonlySet<string>): void {
    for (const [key, { owner }] of this.#taken) if (owners.has(owner)) this.#taken.delete(key)
  }
}

/** A name that a tool or toolkit wants to take. */
export interface NameClaim {
  readonly name: string
  /** The name of the tool or the id of the toolkit that the name belongs to. */
  readonly owner: string
  /** What the name is, for an error message. */
  readonly what?: string
  /** Whether the owner may already have the name. */
  readonly again?: boolean
}

function collision(one: NameClaim, other: NameClaim): string {
  return `${describeClaim(one)} and ${describeClaim(other)} collide: rename or remove one of them.`
}

function describeClaim({ name, owner }: NameClaim): string {
  const quoted = JSON.stringify(name)
  return name === owner ? quoted : `${quoted} (of ${JSON.stringify(owner)})`
}

/** Maps names that are easily confused to the same text. */
function foldName(name: string): string {
  const bare = name.startsWith(PROVIDER) ? name.slice(PROVIDER.length) : name
  return bare.normalize('NFKC').toLowerCase().normalize('NFKC')
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'
