import type { ReactNode } from 'react'
import { useFormat } from '../chat/format.ts'
import { useWords } from '../words/words.ts'
import { Bars, RunsLink } from './bars.tsx'
import { most, type ReplyFigures, type Statistics } from './figures.ts'
import { Plot } from './plot.tsx'

const MAX_BARS = 8

/** The calls by protocol: clean, repaired or malformed. */
export function ReadByProtocol({
  statistics: { protocols },
}: {
  readonly statistics: Statistics
}): ReactNode {
  const { t, number } = useWords()
  const names = [
    t('statistics.read.asWritten'),
    t('statistics.read.repaired'),
    t('statistics.read.not'),
  ]
  const fills = ['bg-solid-call', 'bg-solid-wait', 'bg-solid-no']
  const all = most(protocols, ({ calls, malformed }) => calls + malformed, protocols.length)
  const counts = ({ calls, repaired, malformed }: ReplyFigures): number[] => [
    calls - repaired,
    repaired,
    malformed,
  ]
  return (
    <Plot
      title={t('statistics.read')}
      span={7}
      legend={fills.map((fill, at) => [fill, names[at]!] as const)}
      table={{
        columns: [t('statistics.filter.protocol'), ...names],
        rows: all.map((each) => [each.name, ...counts(each).map((count) => number(count))]),
      }}
    >
      <Bars
        bars={all.slice(0, MAX_BARS).map((each) => ({
          key: each.name,
          name: <RunsLink of="protocol" name={each.name} />,
          parts: counts(each).map((count, at) => [fills[at]!, count] as const),
          end: number(each.calls + each.malformed),
        }))}
      />
    </Plot>
  )
}

/** The time by model: generating, running tools, and waiting for the user. */
export function TimeByModel({
  statistics: { models },
}: {
  readonly statistics: Statistics
}): ReactNode {
  const { t } = useWords()
  const { duration } = useFormat()
  const names = [t('statistics.time.model'), t('statistics.time.tools'), t('statistics.time.you')]
  const fills = ['bg-solid-think', 'bg-solid-call', 'bg-solid-wait']
  const times = ({ duration: { total }, toolTime, waitTime }: ReplyFigures): number[] => [
    total,
    toolTime,
    waitTime,
  ]
  const whole = (each: ReplyFigures): number => times(each).reduce((sum, time) => sum + time, 0)
  const perRun = (each: ReplyFigures): string => duration(whole(each) / Math.max(1, each.runs))
  const all = most(models, whole, models.length)
  return (
    <Plot
      title={t('statistics.time')}
      span={5}
      legend={fills.map((fill, at) => [fill, names[at]!] as const)}
      table={{
        columns: [t('statistics.filter.model'), ...names, t('statistics.time.run')],
        rows: all.map((each) => [
          each.name,
          ...times(each).map((time) => duration(time)),
          perRun(each),
        ]),
      }}
    >
      <Bars
        bars={all.slice(0, MAX_BARS).map((each) => ({
          key: each.name,
          name: <RunsLink of="model" name={each.name} />,
          parts: times(each).map((time, at) => [fills[at]!, time] as const),
          end: (
            <span title={t('statistics.time.perRun', { time: perRun(each) })}>{perRun(each)}</span>
          ),
        }))}
      />
    </Plot>
  )
}

/** The tokens of each model. */
export function TokensByModel({
  statistics: { models },
}: {
  readonly statistics: Statistics
}): ReactNode {
  const { t, number } = useWords()
  const { tokens } = useFormat()
  const names = [t('statistics.tokens.input'), t('statistics.tokens.output')]
  const fills = ['bg-strip-mark', 'bg-solid-call']
  const whole = ({ usage: { input, output } }: ReplyFigures): number => input + output
  const all = most(models, whole, models.length)
  const about = ({ usage }: ReplyFigures, text: string): string =>
    usage.estimated ? t('statistics.tokens.estimated', { count: text }) : text
  return (
    <Plot
      title={t('statistics.tokens')}
      span={12}
      legend={fills.map((fill, at) => [fill, names[at]!] as const)}
      table={{
        columns: [t('statistics.filter.model'), ...names, t('statistics.tokens.replies')],
        rows: all.map((each) => [
          each.name,
          about(each, number(each.usage.input)),
          about(each, number(each.usage.output)),
          number(each.turns),
        ]),
      }}
    >
      <Bars
        max={Math.max(1, ...all.map(whole))}
        bars={all.slice(0, MAX_BARS).map((each) => ({
          key: each.name,
          name: <RunsLink of="model" name={each.name} />,
          parts: [each.usage.input, each.usage.output].map(
            (count, at) => [fills[at]!, count] as const,
          ),
          end: about(each, `${tokens(each.usage.input)} → ${tokens(each.usage.output)}`),
        }))}
      />
    </Plot>
  )
}
