import type { SharedValues } from '@toolglot/agent/journal/internal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import type { Scope } from '../route.ts'
import { createRecent } from './recent.ts'
import { CODES, SESSIONS } from './shared-login.ts'
import { checkName, digestOf, newToken, type TokenEntry, tooMany, type Tokens } from './tokens.ts'

/** The tokens that several servers share, and those of this machine. */
export interface SharedTokens {
  /** The main token of this machine. Other servers do not know it. */
  main(): string
  /** Whose token this is; undefined if it is nobody's. A token that was revoked elsewhere is valid for a second at most. */
  find(presented: string): Promise<TokenEntry | undefined>
  list(): Promise<readonly TokenEntry[]>
  /** Creates a token for all servers, and returns it. Only its digest is kept. */
  create(name: string, scopes: readonly Scope[]): Promise<string>
  revoke(name: string): Promise<boolean>
  /** Replaces the main token of this machine, and logs everybody out, on all servers. */
  rotate(): Promise<string>
}

/** Opens the tokens that servers share. `own` are those of this machine. */
export function sharedTokens(values: SharedValues, own: Tokens): SharedTokens {
  const recent = createRecent<TokenEntry>()

  async function list(): Promise<readonly TokenEntry[]> {
    const shared = await values.list(TOKENS)
    return [...own.list(), ...[...shared.values()].map((entry) => entry as TokenEntry)]
  }

  return {
    main: () => own.main(),
    async find(presented) {
      const local = own.find(presented)
      if (local) return local
      const digest = hexDigest(presented)
      return recent(
        digest,
        async () => (await values.get(TOKENS, digest)) as TokenEntry | undefined,
      )
    },
    list,
    async create(name, scopes) {
      checkName(name)
      const known = await list()
      if (known.some((each) => each.name === name)) throw nameTaken(name)
      tooMany(known.length)
      const token = newToken()
      const digest = hexDigest(token)
      // Somebody else may choose the same name at the same time.
      if (!(await values.add(NAMES, name, digest))) throw nameTaken(name)
      const entry: TokenEntry = { name, scopes, created: Date.now() }
      await values.add(TOKENS, digest, entry)
      return token
    },
    async revoke(name) {
      const digest = await values.get(NAMES, name)
      if (typeof digest === 'string') {
        await values.remove(TOKENS, digest)
        return values.remove(NAMES, name)
      }
      return own.list().some((each) => each.name === name) && own.revoke(name)
    },
    async rotate() {
      const main = own.rotate()
      await values.clear(SESSIONS)
      await values.clear(CODES)
      return main
    },
  }
}

/** What each token may be used for, by its digest; and the digest by the token's name. */
const TOKENS = 'tokens'
const NAMES = 'token-names'

function hexDigest(token: string): string {
  return digestOf(token).toString('hex')
}

function nameTaken(name: string): UserError {
  return new UserError('usage', {
    expected: 'a name that no other token has',
    got: quote(name),
    advice: 'choose another, or revoke that token first',
  })
}
