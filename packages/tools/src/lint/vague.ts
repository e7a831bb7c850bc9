/** Whether every word of a name is generic, such as `read` or `data`. */
export function isVagueName(name: string): boolean {
  const words = wordsOf(name)
  return words.length > 0 && words.every((word) => VAGUE_NAMES.has(word))
}

/** Whether a description is one word, contains a filler such as `stuff`, or only repeats the name. */
export function isVagueDescription(description: string, name: string): boolean {
  const words = wordsOf(description)
  const own = new Set(wordsOf(name))
  return (
    words.some((word) => FILLERS.has(word)) ||
    words.length < 2 ||
    words.every((word) => own.has(word) || SMALL_WORDS.has(word))
  )
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

const VAGUE_NAMES = new Set(
  `action api call check command create data delete do edit exec execute fetch find fn foo func
  function get handle handler helper info input item list load make manage misc object open operation
  output perform process query read remove request run save search send set stuff task test thing tool
  update use util utils work write`.split(/\s+/),
)

const FILLERS = new Set([
  'blah',
  'etc',
  'misc',
  'something',
  'stuff',
  'thing',
  'things',
  'whatever',
])

const SMALL_WORDS = new Set(
  'a an and for function in it of on or the this to tool parameter argument value with'.split(' '),
)
