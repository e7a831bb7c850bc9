import * as draw from '../own-draw.ts'
import type { Hole } from '../hole.ts'
import { either, list, members, number, oneOf, type Shape, text, tuple, yes } from './shapes.ts'
import { mark, marks, picture, pictureOrPictures, pictures, textOrTexts } from './shapes.ts'
import { isHole, known, Native } from './values.ts'

const quoteOnly = members({ quote: mark })
const elementBody = either(
  members({ body: oneOf('elements', 'yaml', 'bare') }),
  members({ body: oneOf('name'), opener: mark, next: mark }),
)
const escapes = list(tuple('two strings', mark, mark), 'pairs of strings')

/** The shapes of each hole's arguments: the required ones, then the optional ones. */
const ARGUMENTS: Readonly<Record<string, readonly [needed: Shape[], optional?: Shape[]]>> = {
  aside: [[], [members({}, { starts: marks, print: text, repair: mark, marks })]],
  calls: [[], [members({}, { of: picture, separator: text })]],
  results: [[text]],
  dictionary: [[quoteOnly]],
  outputDictionary: [[quoteOnly]],
  each: [[pictureOrPictures], [members({}, { separator: text, avoid: marks, repair: mark })]],
  elements: [[members({ prefix: text })]],
  toolElement: [[elementBody]],
  fields: [
    [
      pictures,
      members({ name: mark, method: mark, id: mark }),
      members({ separator: text, avoid: marks }),
    ],
  ],
  first: [[mark]],
  index: [[], [members({}, { from: number, named: yes })]],
  json: [
    [
      members(
        { name: textOrTexts, args: textOrTexts },
        { id: textOrTexts, reasoning: textOrTexts, encoded: yes, numbered: number },
      ),
    ],
  ],
  kind: [[members({ text: mark }, { json: mark })]],
  outcome: [[members({ success: text, data: text, error: text })]],
  ownId: [[text, text]],
  status: [[text, text]],
  value: [
    [],
    [
      members(
        {},
        {
          escapes,
          bounded: yes,
          anything: yes,
          untyped: oneOf('text', 'json', 'scalar'),
          words: oneOf('json', 'python'),
        },
      ),
    ],
  ],
}

/** All exports of `draw.ts`, by name. `wire` is a tag, which the interpreter applies. */
export const drawn: ReadonlyMap<string, unknown> = new Map(
  Object.entries(draw).map(([name, given]): [string, unknown] => {
    if (typeof given !== 'function') return [name, known(given)]
    const [needed, optional] = ARGUMENTS[name] ?? [[]]
    const make = given as (...args: never[]) => unknown
    if (name === 'wire') return [name, new Native(name, make, [])]
    return [name, new Native(name, (...args) => known(make(...args) as Hole), needed, optional)]
  }),
)

/** Registers the holes in a built-in picture or in a list of pictures. */
export function remember(value: unknown): void {
  if (Array.isArray(value)) for (const each of value) remember(each)
  else if (typeof value === 'object' && value !== null && !isHole(value) && 'read' in value)
    known(value as Hole)
}
