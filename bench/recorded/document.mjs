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
    '# Coverage',
    '',
    `Written by \`npm run bench -- --coverage\`: ${all?.replies} recorded replies, parsed in one run by \`@toolglot/core\``,
    `${machine.toolglot} and \`${PEER}\` ${machine.peers[PEER]}, on ${machine.date.slice(0, 10)} with Node ${machine.node} on ${machine.platform}`,
    `(${machine.cpu}, load ${machine.load}).`,
    '',
    "The replies and their expected results come from other parsers' passing tests, so a few contain another parser's mistake",
    `or policy. Toolglot deliberately parses ${decidedAgainst.listed} replies differently, with the reasons in`,
    `[decided-against.txt](../${DECIDED_AGAINST}). ${decidedAgainst.present} of them are included here, except in the rows "without deliberate`,
    `differences". The ${totals[1]?.replies} *strict* replies should give the same result in every parser for their protocol; the ${totals[2]?.replies} *lenient* ones`,
    'depend on how tolerant a parser is. The recordings are not part of this repository; without them, the command writes',
    'nothing. These are their sources, with the number of replies from each:',
    '',
    `${[
      ...Object.entries(sources)
        .filter(([, replies]) => replies > 1)
        .map(([from, replies]) => `${from} ${replies}`),
      ...(singles > 0 ? [`reports of single replies ${singles}`] : []),
    ].join(' · ')}`,
    '',
    'Rows and columns:',
    '',
    "- **given**: Toolglot with the reply's protocol. **auto**: Toolglot without it.",
    `- **peer**: for each reply, the best result of ${Object.keys(peerAlone).length} protocols, chosen in hindsight, through its middleware with default`,
    '  settings. For replies recorded without tools, the peer is also tried with the names of the expected calls, and the better result',
    '  counts. It leaves reasoning in the text, for another middleware to remove, which lowers its result in the text column. It has',
    '  no option for replies whose beginning is in the prompt.',
    '- **calls**: the names and arguments of all calls are right, and there are no others. **streamed**: the same, parsed',
    '  character by character. **text**: the remaining text is right, ignoring whitespace, if it was recorded.',
    '- **same**: calls and text are the same, ignoring whitespace, whether parsed whole or character by character.',
    '- **false**: a call was found in a reply without calls. Choosing the best result hides false calls by the peer; they are listed by protocol below.',
    `- Attempts of the peer that took more than ${limit} s or ${MAX_MEMORY} MB were aborted and count as wrong: ${givenUp.length}, listed at the end.`,
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
    `### ${PEER} by protocol`,
    '',
    ...table(
      ['', 'calls', 'streamed', 'text', 'same', 'false'],
      Object.entries(peerAlone).map(([id, tally]) => [id, ...shares(tally)]),
    ),
    '',
    ...untrained(weak),
    ...Object.entries(tiers).flatMap(([tier, rows]) => [
      '',
      `## ${tier === 'strict' ? 'Strict' : 'Lenient'} replies by protocol`,
      '',
      'Given / auto / peer, of the replies to which the column applies.',
      '',
      ...byProtocol(rows),
    ]),
    '',
    '## Protocols in which the peer reads more calls',
    '',
    ...(better.length > 0
      ? better.map(
          ({ tier, row: { name, told, peer } }) =>
            `- ${name}, ${tier}: ${peer.calls[0]} against ${told.calls[0]} of ${told.calls[1]}`,
        )
      : ['In no protocol.']),
    ...(givenUp.length > 0
      ? ['', '## Aborted readings of the peer', '', `${givenUp.join(' · ')}.`]
      : []),
  ].join('\n')}\n`
}

/** @param {WeakRows[]} sets */
function untrained(sets) {
  const own = sets.find(({ file }) => file === OWN)
  const wrong = own?.rows.find(({ reader }) => reader === 'told')?.wrong ?? []
  return [
    '## Untrained models',
    '',
    'Models that were not trained on a protocol write a call as JSON in a fence, as ReAct, in invented tags, or in the form of',
    'another family. These sets contain such calls, and answers that resemble them: examples, documentation, code, replies that',
    'were cut off. The tools are always given. **given** is Toolglot with `hermes`, which a run selects for an unknown model. A call is',
    'found if the reply is read exactly, even if the call is marked as less trusted: one outside the selected protocol is marked',
    '`otherProtocol`, and may need approval. An answer is taken for a call if a complete call is read in it.',
    '',
    `- own: [${OWN.split('/').at(-1)}](../${OWN}), written for this repository`,
    '- others: written by others, and not part of this repository; the rows are missing without it',
    '',
    'Toolglot was developed with both sets in view, unlike the peer: they show which forms are covered, not how a reader does on unseen',
    'replies.',
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
      ? ['', `Wrong readings of our own, given \`hermes\`: ${wrong.join(', ')}.`]
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

/** @param {Row[]} rows */
function byProtocol(rows) {
  const measures = /** @type {const} */ (['calls', 'text', 'same', 'invented'])
  const body = rows.map((row) => [
    row.name,
    ...measures.map((measure) => {
      const of = row.told[measure][1]
      return of > 0
        ? `${readers.map((reader) => row[reader][measure][0]).join(' / ')} of ${of}`
        : '-'
    }),
  ])
  return table(['', 'calls', 'text', 'same', 'false'], body)
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
