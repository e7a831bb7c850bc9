import type { Example, Examples, Protocol } from '../protocol.ts'
import { type Place, type Problems, quoted } from './problems.ts'
import { unknownName } from './unknown-name.ts'
import * as shapes from './shapes.ts'
import { isPlain, type Shape } from './shapes.ts'

const { list, members, regionOrRegions, pattern, picture, pictures, text, texts, tuple, yes } =
  shapes

/** The places of an object's members. The empty key is the object itself. */
type Places = ReadonlyMap<string, Place> | undefined

/** The required shape of each part of a protocol. */
const PARTS: Readonly<Record<Exclude<keyof Protocol, 'prompt'>, Shape>> = {
  id: (value) =>
    typeof value === 'string' && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value)
      ? undefined
      : 'a name of lowercase letters, digits, dots and dashes',
  about: text,
  call: picture,
  section: picture,
  variants: pictures,
  general: pictures,
  reasoning: regionOrRegions,
  answer: regionOrRegions,
  ignore: list(shapes.either(shapes.mark, shapes.marksOnly), 'strings and pictures'),
  separator: text,
  anyCase: yes,
  dialect: text,
  weak: yes,
  result: picture,
  results: picture,
  error: picture,
  models: list(pattern, 'regular expressions'),
  template: text,
}

const NEEDED = ['id', 'about', 'call', 'result', 'prompt']

/** The valid parts of a protocol. Invalid and missing ones are reported and omitted. */
export function partsOf(
  value: Readonly<Record<string, unknown>>,
  places: Places,
  problems: Problems,
): Record<string, unknown> {
  const whole = places?.get('') ?? { from: 0, to: 0 }
  const found: Record<string, unknown> = {}
  const known = [...Object.keys(PARTS), 'prompt']
  for (const [key, part] of Object.entries(value)) {
    const place = places?.get(key) ?? whole
    const expected = Object.hasOwn(PARTS, key) ? PARTS[key as keyof typeof PARTS](part) : undefined
    if (!known.includes(key))
      problems.add(() => unknownName(key, 'a part of a protocol', known), place)
    else if (part === undefined) continue
    else if (expected === undefined) found[key] = part
    else problems.add(`${quoted(key)} must be ${expected}.`, place)
  }
  for (const key of NEEDED) {
    // A part that could not be read has already been reported.
    if (value[key] === undefined && (Object.hasOwn(value, key) || !places?.has(key)))
      problems.add(`The protocol has no ${quoted(key)}.`, { from: whole.to - 1, to: whole.to })
  }
  return found
}

const exampleShape = members(
  { wire: text },
  {
    text,
    reasoning: text,
    calls: list(
      tuple('a call', text, (value) => (isPlain(value) ? undefined : 'an object')),
      "calls: `['name', { argument: 1 }]`",
    ),
    malformed: texts,
    repairs: texts,
    variant: yes,
  },
)

/** The valid examples. Invalid ones are reported and omitted. */
export function examplesOf(value: unknown, places: Places, problems: Problems): Examples {
  if (!isPlain(value)) return {}
  const found: Record<string, Example> = {}
  for (const [title, example] of Object.entries(value)) {
    const expected = exampleShape(example)
    if (expected === undefined) found[title] = example as unknown as Example
    else problems.add(`This example expects ${expected}.`, places?.get(title) ?? { from: 0, to: 0 })
  }
  return found
}
