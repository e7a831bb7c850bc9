import { nearest } from './nearest.ts'

// One function for each common kind of error, so that their wording is consistent. Each returns
// complete sentences.

/** A value that breaks a rule: `timeout must be a positive number, not "soon".` */
export function mustBe(subject: string, rule: string, ...value: readonly [unknown?]): string {
  return brokenRule(subject, rule, value.length === 0 ? undefined : describeValue(value[0]))
}

/** The same for a value that the caller has described. */
export function brokenRule(subject: string, rule: string, got?: string): string {
  const start = /^(?:the|an?) /.test(subject)
    ? subject[0]!.toUpperCase() + subject.slice(1)
    : subject
  // Not "must be an object with …, not an object".
  const kind = got?.match(/^(?:an object|a list)/)?.[0]
  const repeats = got === undefined || (kind !== undefined && rule.includes(kind))
  return `${start} must be ${rule}${repeats ? '' : `, not ${got}`}.`
}

/** A name that is not in a list: `Unknown tool "Raed". Did you mean Read?` */
export function unknownName(
  kind: string,
  name: string,
  known: readonly string[],
  alsoMeant: readonly string[] = [],
): string {
  const [close] = nearest(name.trim(), [...new Set([...known, ...alsoMeant])])
  const names = known.slice(0, MAX_NAMES).join(', ') + (known.length > MAX_NAMES ? ', …' : '')
  const advice =
    close !== undefined
      ? `Did you mean ${close}?`
      : known.length === 0
        ? `There are no ${kind}s.`
        : `Known ${kind}s: ${names}.`
  return `Unknown ${kind} ${describeValue(name)}. ${advice}`
}

/** Something without that name: `No run named zzz. List runs with: toolglot runs.` */
export function notFound(kind: string, name: string, advice?: string): string {
  return withAdvice(`No ${kind} named ${name}.`, advice)
}

/** A file or folder that does not exist: `No such folder: /nope.` */
export function noSuchPath(kind: string, path: string, advice?: string): string {
  return withAdvice(`No such ${kind}: ${path}.`, advice)
}

/** Something that another process uses: `Port 4747 is already in use. Choose another with --port.` */
export function inUse(subject: string, advice?: string): string {
  return withAdvice(`${subject} is already in use.`, advice)
}

/** A name that is taken: `A token named laptop already exists. Choose another name.` */
export function alreadyExists(kind: string, name: string, advice = 'Choose another name'): string {
  return withAdvice(`A ${kind} named ${name} already exists.`, advice)
}

/** Describes a value briefly. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string')
    return value.length > MAX_TEXT
      ? `${JSON.stringify(value.slice(0, MAX_TEXT))}… (${value.length} characters)`
      : JSON.stringify(value)
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value
}

const MAX_TEXT = 60
/** The maximum number of names listed as advice. */
const MAX_NAMES = 50

function withAdvice(problem: string, advice: string | undefined): string {
  return advice === undefined ? problem : `${problem} ${advice}.`
}
