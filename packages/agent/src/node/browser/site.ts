import { readTextFile } from '@toolglot/permissions/node/internal'
import { isLoopback } from '../../model/http/endpoint.ts'
import { checkFields } from '../../options/check-fields.ts'
import { withoutUndefined } from '../../options/without-undefined.ts'
import {
  delayRule,
  type FieldRules,
  flag,
  milliseconds,
  objectRule,
  oneOf,
  positiveInteger,
  required,
  type Rule,
} from '../../options/rule.ts'
import { plainLine } from '../../model/plain-line.ts'

/**
 * A chat page: the content of a site file. Selectors are CSS with Playwright's extensions, such as
 * `button:has-text("Stop")`. Required are `address`, `input`, `send` or `key`, `reply` and `raw`.
 */
export interface Site {
  /**
   * The site's name for display and in errors, such as `example`. May determine the model's
   * protocol. Default: the host.
   */
  readonly name?: string
  /** Remarks for people. Ignored. */
  readonly note?: string
  /** The address of an empty chat: https, or http on this machine. */
  readonly address: string
  /** The input for messages: a textarea or a contenteditable element. */
  readonly input: string
  /** The control that sends a message. */
  readonly send?: string
  /** The key that sends a message, such as `Enter`, if there is no `send`. */
  readonly key?: string
  /** The control that stops a reply. While it is visible, the reply is not finished. */
  readonly stop?: string
  /** Matches every reply in the chat. The last one is read. */
  readonly reply: string
  /**
   * An element that is absent while a reply is being written and appears afterwards, such as the
   * buttons below the reply.
   */
  readonly finished?: string
  /** The control that starts a new chat. Default: reload `address`. */
  readonly newChat?: string
  /** The source of replies in their original form. */
  readonly raw: RawText
  /** The sign that no user is logged in. */
  readonly loggedOut?: Sign
  /** The sign that too many messages were sent. */
  readonly rateLimited?: Sign
  /** The sign of an error on the page. */
  readonly failed?: Sign
  /** Show the window even after the login, for pages that reject hidden windows. Default: false. */
  readonly window?: boolean
  readonly limits?: Partial<SiteLimits>
}

/**
 * The source of a reply in the form in which the model wrote it: pages render Markdown and remove
 * unknown tags.
 */
export type RawText =
  /** A button that copies the reply: the last one that matches. The clipboard does not change. */
  | { readonly from: 'copy'; readonly button: string }
  /**
   * The network response with the reply: the first one after a message whose URL contains `url`.
   * `text` is the path to the text in each event, such as `choices.0.delta.content`. With `whole`,
   * every event contains the whole text so far. The only source that streams.
   */
  | {
      readonly from: 'network'
      readonly url: string
      readonly text: string
      /** Server-sent events, or one JSON value per line. Default: sse. */
      readonly events?: 'sse' | 'lines'
      readonly whole?: boolean
    }
  /**
   * Code blocks, for pages that preserve no other text: the prompt tells the model to write each
   * call in a code block. Default: `pre code`.
   */
  | { readonly from: 'code'; readonly block?: string }
  /** The visible text of the page. */
  | { readonly from: 'text' }

/**
 * A sign on a page: an element, optionally one with certain text, or an address that contains
 * `url`.
 */
export interface Sign {
  readonly selector?: string
  /** The text, ignoring case. */
  readonly text?: string
  readonly url?: string
}

/** The limits of a page. Times are in milliseconds. */
export interface SiteLimits {
  /** The maximum number of characters in one message. Default: 100 000. */
  readonly characters: number
  /** The minimum pause between a reply and the next message. Default: 1000. */
  readonly pause: number
  /**
   * The time without changes after which a reply is finished. Default: 1000, or 3000 without `stop`
   * and `finished`.
   */
  readonly settle: number
  /** The maximum time for loading the page or reacting to a click. Default: 30 000. */
  readonly load: number
  /** The maximum time before a reply starts. Default: 60 000. */
  readonly start: number
  /** The delay after sending too many messages. Default: 60 000. */
  readonly retryAfter: number
}

/** Checks the content of a site file. Throws a TypeError that refers to the field. */
export function parseSite(given: unknown): Site {
  checkFields(WHAT, given, RULES, { named: true })
  const site = given as unknown as Site
  const { from } = site.raw as { readonly from?: unknown }
  const rules = Object.hasOwn(RAW_RULES, String(from)) ? RAW_RULES[from as RawText['from']] : RAW
  checkFields(`raw of ${WHAT}`, site.raw, rules, { named: true })
  if ((site.send === undefined) === (site.key === undefined))
    throw new TypeError(
      site.send === undefined
        ? 'The site file requires send or key.'
        : 'The site file must not have both send and key.',
    )
  for (const field of SIGNS) {
    const sign = site[field]
    if (sign && sign.selector === undefined && sign.url === undefined)
      throw new TypeError(`${field} of ${WHAT} requires a selector or a url.`)
    if (sign?.text !== undefined && sign.selector === undefined)
      throw new TypeError(`${field} of ${WHAT} requires a selector for its text.`)
  }
  return site
}

/** The limits of a site, including defaults. */
export function limitsOf({ limits = {}, stop, finished }: Site): SiteLimits {
  return {
    characters: 100_000,
    pause: 1000,
    settle: stop === undefined && finished === undefined ? 3000 : 1000,
    load: 30_000,
    start: 60_000,
    retryAfter: 60_000,
    ...withoutUndefined(limits),
  }
}

/** The name of a site. */
export function nameOf({ name, address }: Pick<Site, 'name' | 'address'>): string {
  return name ?? new URL(address).host
}

const WHAT = 'the site file'
const SIGNS = ['loggedOut', 'rateLimited', 'failed'] as const

function words(expected: string, maxLength: number): Rule {
  return {
    expected: `${expected} of at most ${maxLength} characters`,
    test: (value) => typeof value === 'string' && value.trim() !== '' && value.length <= maxLength,
  }
}

const selector = words('a CSS selector', 1000)
const line = words('a text', 200)

const address: Rule = {
  expected:
    'an address that begins with https://, or with http:// for this machine, without a password',
  test(value) {
    if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return false
    const { protocol, hostname, username, password } = new URL(value)
    if (username !== '' || password !== '') return false
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  },
}

const key: Rule = {
  expected: 'a key, such as "Enter" or "Control+Enter"',
  test: (value) =>
    typeof value === 'string' && /^(?:(?:Control|Meta|Alt|Shift)\+)*Enter$/.test(value),
}

const name: Rule = {
  expected: 'a name of 1 to 100 letters, digits and . _ : / -',
  test: (value) => typeof value === 'string' && /^[\w.:/-]{1,100}$/.test(value),
}

const path: Rule = {
  expected: 'a path of names and numbers with dots, such as "choices.0.delta.content"',
  test: (value) =>
    typeof value === 'string' && value.length <= 200 && /^[^.\s]+(?:\.[^.\s]+)*$/.test(value),
}

const sign: Rule = {
  ...objectRule({ selector, text: line, url: line } satisfies FieldRules<Sign>),
  expected: 'an object with a selector or a url',
}

const RULES: FieldRules<Site> = {
  name,
  note: words('a text', 2000),
  address: required(address),
  input: required(selector),
  send: selector,
  key,
  stop: selector,
  reply: required(selector),
  finished: selector,
  newChat: selector,
  raw: required(objectRule()),
  loggedOut: sign,
  rateLimited: sign,
  failed: sign,
  window: flag,
  limits: objectRule({
    characters: positiveInteger,
    pause: delayRule,
    settle: delayRule,
    load: milliseconds,
    start: milliseconds,
    retryAfter: delayRule,
  } satisfies FieldRules<SiteLimits>),
}

const from = required(oneOf('copy', 'network', 'code', 'text'))

/**
 * The rules for an unknown source of raw text. They always fail, and the error lists the known
 * sources.
 */
const RAW: FieldRules = { from }

const RAW_RULES: Readonly<Record<RawText['from'], FieldRules>> = {
  copy: { from, button: required(selector) },
  network: {
    from,
    url: required(line),
    text: required(path),
    events: oneOf('sse', 'lines'),
    whole: flag,
  },
  code: { from, block: selector },
  text: { from },
}

/** Reads a site file. Throws a TypeError that explains the problem. */
export function readSite(file: string): Site {
  const shown = plainLine(file)
  const content = readTextFile(file, MAX_BYTES)
  if ('missing' in content) throw new TypeError(`No such site file: ${shown}`)
  if ('reason' in content)
    throw new TypeError(`Cannot read the site file ${shown}: ${content.reason}.`)
  let value: unknown
  try {
    value = JSON.parse(content.text)
  } catch (error) {
    // The message contains the position of the error.
    throw new TypeError(`${shown} is not JSON: ${plainLine((error as Error).message)}.`)
  }
  try {
    return parseSite(value)
  } catch (error) {
    // Add the name of the file to the message.
    throw new TypeError(`${shown}: ${(error as Error).message}`)
  }
}

const MAX_BYTES = 64 << 10
