// Rejects phrases that are not plain English in sources and documents, and suggests alternatives.
import { readFileSync, readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root } from './ready.mjs'

/**
 * A phrase, as the source of a regular expression, and its replacement. A space also matches a line
 * break inside a comment.
 *
 * @type {[phrase: string, instead: string][]}
 */
const phrases = [
  ['if not told', 'by default'],
  ['(?:gone|goes|go|going|went) on with', 'resumes, continues with'],
  ['(?:for|by|from|with) who', 'for anyone who, for callers that'],
  ['parted (?:by|at|with)', 'separated by'],
  ['(?:by|at|with|of|other|holds) blanks', 'spaces, whitespace'],
  ['to the letter', 'exactly, verbatim, unchanged'],
  ['(?:is|are|was|were|be|been|being) told of', 'is given, is shown, knows'],
  ['(?:that|which|what) (?:is|are|was|were) none(?! of)', 'invalid, unknown, is not one'],
  [
    '(?:that|which|what) (?:is|are|was|were) no (?!longer|more|less|fewer|worse|better|use)',
    'is not a',
  ],
  ['mend(?:s|ed|ing)?', 'fix, repair'],
  ['libert(?:y|ies)', 'repair'],
  ['anew', 'again'],
  ['nobody (?:knows|(?:can|could) (?:know|say|tell))', 'is unknown'],
  ['(?:is|was) not sure that', 'it is uncertain whether, may not'],
  ['what (?:it|he|they) (?:is|are) called', 'its name'],
  ['(?:what|which|that) stands?(?! for)', 'what is in, what follows'],
  ['stands? (?:behind|beside)', 'follows, is next to'],
  ['as they stand', 'unchanged'],
  ['(?:lies|lie|lay|lying) in', 'is in'],
  ['what lies', 'what is in'],
  ['right behind', 'right after'],
  ['behind (?:a|an|the|its|their) (?:arguments?|closing|first|key|last|mark|name|word)', 'after'],
  ["of one's own", 'your own, custom'],
  ['(?:it|that|this) is said', 'is reported'],
  ['an? (?:yes|no) (?:to|is|from|counts)', 'approval, refusal'],
  ['(?:needs?|wants?|expected|needed|clearly) a yes', 'approval'],
  ['where there (?:is|are|was|were) none', 'if there is none, if missing'],
  ['(?:what|that|all that) came of', 'the result of, what it started'],
  ['(?:speaks?|spoke|spoken) of', 'covers, applies to, mentions'],
  ['(?:is|are|was|were|be|been) let run', 'is allowed to run'],
  ['than (?:it|they) may(?! be)', 'than is allowed'],
  ['for ever', 'forever'],
  ['expected [^.,;:]{1,60}, got', 'must be, or what is wrong and what to do'],
  ['belongs? into', 'goes in'],
  ['nobody sees', 'invisible'],
]

const patterns = [
  ...phrases.map(([phrase, instead]) => ({
    // Lines of a comment or of a quoted paragraph begin with one of these.
    pattern: new RegExp(
      `\\b${phrase.replaceAll(' ', String.raw`\s+(?:(?:\*|//|>|#) *)?`)}\\b`,
      'gi',
    ),
    instead,
  })),
  // Matches only the start of a comment, not the start of its other lines.
  {
    pattern: /(?<=\/\*\*? |\/\*\*\n *\* |(?<!\/\/.*)\n *\/\/ )(?:What|Whether|Whoever)\b/g,
    instead: 'a noun, an imperative, or "True if …"',
  },
]

/**
 * The rejected phrases in one file, one line each.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function phrasesIn(path, text) {
  return patterns
    .flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((match) => ({
        index: match.index,
        found: match[0].replace(/\s+(?:(?:\*|\/\/|>|#) *)?/g, ' ').trim(),
        instead,
      })),
    )
    .sort((one, other) => one.index - other.index)
    .map(({ index, found, instead }) => {
      const line = text.slice(0, index).split('\n').length
      return `${path}:${line}: "${found}": write ${instead}`
    })
}

const skippedFolders = new Set(['node_modules', 'dist', 'coverage', 'fixtures', 'results'])
// These files contain the phrases.
const skippedFiles = new Set(['scripts/check-phrases.mjs', 'scripts/check-phrases.test.ts'])

/**
 * The sources and documents in a folder, by their path from the root of the repository.
 *
 * @param {string} folder such as `docs/`, or empty for the root
 * @returns {string[]}
 */
export function filesIn(folder) {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`
    if (entry.isDirectory())
      return skippedFolders.has(entry.name) || entry.name.startsWith('.') ? [] : filesIn(`${path}/`)
    return /(?:\.(?:tsx?|mjs|md)|\/settings\.schema\.json)$/.test(path) && !skippedFiles.has(path)
      ? [path]
      : []
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const paths = filesIn('')
  const found = paths.flatMap((path) => phrasesIn(path, readFileSync(`${root}/${path}`, 'utf8')))
  console.log(found.length > 0 ? found.join('\n') : `${paths.length} files have none`)
  if (found.length > 0) process.exitCode = 1
}
