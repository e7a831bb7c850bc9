import { alreadyExists } from '@toolglot/permissions/errors/internal'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import type { Scope } from '../route.ts'
import {
  openTokenFile,
  type StoredToken,
  type TokenFileContent,
  tokenFileProblem,
} from './token-file.ts'

/** The name of the token with full access. */
const MAIN = 'main'
const MAX_TOKENS = 1000

/** An issued token, without the token itself. */
export interface TokenEntry {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The time of its creation, in milliseconds since 1970; undefined for the main token. */
  readonly created?: number
}

/** The tokens of a server. Other processes may change them at the same time. */
export interface Tokens {
  /** The main token itself, named `main`, with full access. Throws if the file is unusable. */
  main(): string
  /** The main token, or undefined if the file is no longer usable. */
  tryMain(): string | undefined
  /** The entry of a token, or undefined if it is invalid. */
  find(presented: string): TokenEntry | undefined
  list(): readonly TokenEntry[]
  /** Creates a token and returns it. The token isn't stored, so it can only be shown now. */
  create(name: string, scopes: readonly Scope[]): string
  /** Removes a token. Returns false if no token has this name. */
  revoke(name: string): boolean
  /** Replaces the main token and returns the new one. Logins with the old one end. */
  rotate(): string
}

/** The source of tokens. */
export interface TokensOptions {
  /** The folder with the file of tokens. The file is created if it is missing. */
  readonly stateFolder: string
  /** The only token, instead of those in the file: for containers. */
  readonly token?: string | undefined
  /**
   * Called with the reason when the file becomes unusable. Until it is usable again, no token is
   * valid.
   */
  readonly onProblem?: (error: unknown) => void
}

/**
 * The reason why the tokens in a state folder are unusable. Undefined if they are usable or don't
 * exist yet. Changes nothing.
 */
export function tokensProblem(stateFolder: string): string | undefined {
  return tokenFileProblem(fileIn(stateFolder))
}

/** Opens the tokens of a server. Throws a UserError if other users can read them. */
export function openTokens(options: TokensOptions): Tokens {
  return options.token === undefined ? fileTokens(options) : givenToken(options.token)
}

function fileIn(stateFolder: string): string {
  return join(stateFolder, 'tokens.json')
}

function fileTokens({ stateFolder, onProblem }: TokensOptions): Tokens {
  const file = openTokenFile(fileIn(stateFolder), newToken)
  /** An unusable file is reported once. */
  let isBroken = false

  const tryRead = (): TokenFileContent | undefined => {
    try {
      const content = file.read()
      isBroken = false
      return content
    } catch (error) {
      if (!isBroken) onProblem?.(error)
      isBroken = true
      return undefined
    }
  }

  return {
    main: () => file.read().main,
    tryMain: () => tryRead()?.main,
    find(presented) {
      const content = tryRead()
      return content && findToken(presented, content.main, content.tokens)
    },
    list: () => [mainEntry, ...file.read().tokens.map(entryOf)],
    create(name, scopes) {
      checkName(name)
      const token = newToken()
      file.change(({ main, tokens }) => {
        if (tokens.some((each) => each.name === name)) {
          throw new UserError(
            'usage',
            alreadyExists('token', name, 'Choose another name, or revoke that token first'),
          )
        }
        tooMany(tokens.length)
        const added = { name, scopes, digest: digestOf(token).toString('hex'), created: Date.now() }
        return { main, tokens: [...tokens, added] }
      })
      return token
    },
    revoke(name) {
      let found = false
      file.change(({ main, tokens }) => {
        const others = tokens.filter((each) => each.name !== name)
        found = others.length < tokens.length
        return { main, tokens: others }
      })
      return found
    },
    rotate() {
      const main = newToken()
      file.change(({ tokens }) => ({ main, tokens }))
      return main
    },
  }
}

/** A single token that is managed by the caller, such as TOOLGLOT_TOKEN. */
function givenToken(token: string): Tokens {
  // Allows the characters of a header value, except the comma, which `presentedToken` reads as a
  // separator.
  if (!/^[!-+\--~]{32,512}$/.test(token)) {
    throw new UserError(
      'data',
      `The token ${token.length < 32 ? `has only ${token.length} characters` : 'is too long or has other characters'}: it must have 32 to 512 characters, without spaces and commas. Use a random one, such as the output of: openssl rand -hex 32`,
    )
  }
  const unchangeable = (): never => {
    throw new UserError(
      'usage',
      'The token was set by the environment or an option, such as TOOLGLOT_TOKEN. Change it there',
    )
  }
  return {
    main: () => token,
    tryMain: () => token,
    find: (presented) => findToken(presented, token, []),
    list: () => [mainEntry],
    create: unchangeable,
    revoke: unchangeable,
    rotate: unchangeable,
  }
}

const mainEntry: TokenEntry = { name: MAIN, scopes: ['all'] }

/** Compares with every token, so that the duration reveals nothing. */
function findToken(
  presented: string,
  main: string,
  tokens: readonly StoredToken[],
): TokenEntry | undefined {
  const digest = digestOf(presented)
  let found = timingSafeEqual(digest, digestOf(main)) ? mainEntry : undefined
  for (const token of tokens) {
    if (timingSafeEqual(digest, Buffer.from(token.digest, 'hex'))) found = entryOf(token)
  }
  return found
}

function entryOf({ name, scopes, created }: StoredToken): TokenEntry {
  return { name, scopes, created }
}

/** Throws a UserError if the maximum number of tokens is reached. */
export function tooMany(count: number): void {
  if (count < MAX_TOKENS) return
  throw new UserError(
    'usage',
    `There are already ${MAX_TOKENS} tokens. Revoke some that are no longer used`,
  )
}

/** Throws a UserError if the name of a token is invalid. */
export function checkName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== MAIN) return
  throw new UserError(
    'usage',
    `${quote(name)} ${name === MAIN ? 'is the name of the main token' : 'is not a name of up to 64 letters, digits, dots, hyphens and underscores'}. Choose another`,
  )
}

/** The SHA-256 of a secret. Our secrets are too long to be guessed. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** A new secret. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}
