import { MAX_MEMORY } from './peer.mjs'
import { DECIDED_AGAINST } from './vectors.mjs'
import { OWN } from './weak.mjs'

/** @typedef {import('./summary.mjs').Row} Row */
/** @typedef {import('./tally.mjs').Share} Share */
/** @typedef {import('./tally.mjs').Tally} Tally */

const PEER = '@ai-sdk-tool/parser'

const readers = /** @type {const} */ (['told', 'auto', 'peer'])
/** The names of the readers in the tables. */
const TITLES = { told: 'given', auto: 'auto', peer: 'peer' }

/**
 * docs/coverage.md.
 *
 * @typedef {object} Run
 * @property {ReturnType<typeof import('../machine.mjs').describeMachine>} machine
 * @property {number} limit in seconds
 * @property {string[]} givenUp readings of the peer that were aborted
 * @property {WeakRows[]} weak what untrained models write
 *
 * @typedef {{ file: string, replies: number, rows: import('./weak.mjs').WeakRow[] }} WeakRows
 *
 * @param {Run & import('./summary.mjs').Summary} coverage
 */
export function documentOf(coverage) {
  const { machine, totals, tiers, sources, peerAlone, decidedAgainst, limit, givenUp, weak } =
    coverage
  const [all] = totals
  const singles = Object.values(sources).filter((replies) => replies === 1).length
  const better = Object.entries(tiers).flatMap(([tier, rows]) =>
    rows.filter(({ told, peer }) => peer.calls[0] > told.calls[0]).map((row) => ({ tier, row })),
  )

  return `${[
    '# How many replies are read correctly',
    '',
    `Written by \`npm run bench -- --coverage\`: ${all?.replies} recorded replies, read in one run by`,
    `\`@toolglot/core\` ${machine.toolglot} and by \`${PEER}\` ${machine.peers[PEER]}.`,
    '',
    ...['date', 'node', 'platform', 'cpu', 'load'].map(
      (key) => `- ${key}: ${machine[/** @type {'date'} */ (key)]}`,
    ),
    ...totals.slice(1, 3).map(({ name, replies }) => `- ${name} replies: ${replies}`),
    '',
    'The replies and their expected readings are recorded from the passing tests of other parsers. So a few contain',
    `another parser's mistake or another policy. ${decidedAgainst.listed} replies are read differently on purpose, listed with the`,
    `reasons in [decided-against.txt](../${DECIDED_AGAINST}); ${decidedAgainst.present} of them are among these, and`,
    'count like any other except in the lines of the first table that say so. *strict* replies are those that every reader of',
    'their protocol should read alike; *lenient* ones depend on how much a reader forgives. The recordings are not part of this',
    'repository: without them the command says so and writes nothing. Their sources, and how many replies:',
    '',
    ...Object.entries(sources)
      .filter(([, replies]) => replies > 1)
      .map(([from, replies]) => `- ${from}: ${replies}`),
    ...(singles > 0 ? [`- reports of single replies: ${singles}`] : []),
    '',
    'What the tables show:',
    '',
    '- **given**: Toolglot, given the protocol of the reply. **auto**: Toolglot without it.',
    `- **peer**: for each reply the best reading of ${Object.keys(peerAlone).length} protocols, chosen in hindsight. It reads through its`,
    '  middleware with default settings. If a reply was recorded without tools, the peer also gets the names of the',
    '  expected calls, and the better reading counts. It leaves reasoning in the text, for another middleware',
    '  to remove, which costs it replies in the text column. It has no option for a reply that the prompt began.',
    '- **calls**: the names and arguments of all calls are right, and there are no others. **streamed**: the same, read',
    '  in single characters. **text**: the remaining text is right, ignoring whitespace, if it was recorded.',
    '- **same**: calls and text are the same whole and in single characters, ignoring whitespace.',
    '- **false**: a call was read in a reply that has none. Hindsight hides those of the peer; see its protocols one by one.',
    `- A reading of the peer that took more than ${limit} s or ${MAX_MEMORY} MB was aborted and counts as wrong:`,
    `  ${givenUp.length}, listed at the end.`,
    '',
    '## All replies',
    '',
    ...table(
      ['', '', 'calls', 'streamed', 'text', 'same', 'false'],
      totals.flatMap((row) =>
        readers.map((reader) => [
          reader === 'told' ? `${row.name} (${row.replies})` : '',
          TITLES[reader],
          ...shares(row[reader]),
        ]),
      ),
    ),
    '',
    `### ${PEER}, each of its protocols alone`,
    '',
    ...table(
      ['', 'calls', 'streamed', 'text', 'same', 'false'],
      Object.entries(peerAlone).map(([id, tally]) => [id, ...shares(tally)]),
    ),
    '',
    ...untrained(weak),
    ...Object.entries(tiers).flatMap(([tier, rows]) => [
      '',
      `## ${tier}: calls and text`,
      '',
      ...byProtocol(rows, 'calls', 'text'),
      '',
      `## ${tier}: same in single characters, and false calls`,
      '',
      ...byProtocol(rows, 'same', 'invented'),
    ]),
    '',
    '## Where the peer reads more calls than Toolglot given the protocol',
    '',
    ...(better.length > 0
      ? better.map(
          ({ tier, row: { name, told, peer } }) =>
            `- ${name}, ${tier}: ${peer.calls[0]} against ${told.calls[0]} of ${told.calls[1]}`,
        )
      : ['In no protocol.']),
    ...(givenUp.length > 0
      ? ['', '## Aborted readings of the peer', '', ...givenUp.map((each) => `- ${each}`)]
      : []),
  ].join('\n')}\n`
}

/** @param {WeakRows[]} sets */
function untrained(sets) {
  const own = sets.find(({ file }) => file === OWN)
  const wrong = own?.rows.find(({ reader }) => reader === 'told')?.wrong ?? []
  return [
    '## What untrained models write',
    '',
    'Models that were not trained on a protocol write a call as JSON in a fence, as ReAct, in tags that they make up, or in the',
    'form of another family. These sets contain such calls, and answers that only look like them: examples, documentation, code,',
    'replies that were cut. The tools are always given. **given** is Toolglot given `hermes`, as a run does for an unknown model.',
    'A call is found if the reply is read exactly: all calls, and no others. It counts whatever is said about its trust (one found',
    'outside the selected protocol is marked `otherProtocol`, and a run may ask). An answer is taken for a call if it gives a complete one.',
    '',
    `- own: [${OWN.split('/').at(-1)}](../${OWN}), written for this repository, so what we thought of.`,
    '- others: written by others, and not part of this repository. Where it is missing, there is only our own.',
    '',
    'Toolglot was developed with both sets in view, the peer was not: they show what is covered, not how a reader does on unseen replies.',
    '',
    ...table(
      ['', '', 'calls found', 'streamed', 'same', 'answers taken for calls'],
      sets.flatMap(({ file, replies, rows }) =>
        rows.map(({ reader, found, streamed, same, taken }, index) => [
          index === 0 ? `${file === OWN ? 'own' : 'others'} (${replies})` : '',
          titleOf(reader),
          ...[found, streamed, same].map(percent),
          `${taken[0]} of ${taken[1]}`,
        ]),
      ),
    ),
    ...(wrong.length > 0
      ? ['', `Of our own, Toolglot given \`hermes\` reads these wrongly: ${wrong.join(', ')}.`]
      : []),
  ]
}

/**
 * @param {string} reader one of ours, or a protocol of the peer
 * @returns {string}
 */
function titleOf(reader) {
  if (reader === 'peer') return 'peer, best in hindsight'
  return reader === 'told' || reader === 'auto' ? TITLES[reader] : `peer, ${reader}`
}

/**
 * @param {Row[]} rows
 * @param {keyof Tally} one
 * @param {'text' | 'invented'} other
 */
function byProtocol(rows, one, other) {
  const title = { text: 'text', invented: 'false' }[other]
  const head = [
    ...['', 'of', ...readers.map((reader) => `${one}, ${TITLES[reader]}`)],
    ...['of', ...readers.map((reader) => `${title}, ${TITLES[reader]}`)],
  ]
  const body = rows.map((row) => [
    row.name,
    ...[one, other].flatMap((measure) => [
      String(row.told[measure][1]),
      ...readers.map((reader) => String(row[reader][measure][0])),
    ]),
  ])
  return table(head, body)
}

/** @param {Tally} tally */
function shares({ calls, streamed, text, same, invented }) {
  return [...[calls, streamed, text, same].map(percent), `${invented[0]} of ${invented[1]}`]
}

/** @param {Share} share */
function percent([count, of]) {
  return of > 0 ? `${((100 * count) / of).toFixed(1)} % (${count})` : '-'
}

/**
 * @param {string[]} head
 * @param {string[][]} body
 */
function table(head, body) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...body.map(line)]
}
