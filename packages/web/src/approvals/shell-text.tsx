import { Fragment, memo, type ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { LongText } from '../ui/long-text.tsx'
import type { Decision } from '@toolglot/permissions'
import { useWords } from '../words/words.ts'
import { reasonSentence } from './reasons.ts'

/** Right-to-left letters with their marks: the blocks that Unicode reserves for them. */
const FROM_RIGHT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u

/**
 * A shell text in the order of execution, with invisible characters as boxes. Right-to-left letters
 * would otherwise be reordered: `cp א ב` would show the two files reversed. A word is broken only
 * if it is longer than a line, so that a file name does not look like two.
 */
export const ShellText = memo(function ShellText({
  text,
  unseen,
}: {
  readonly text: string
  /** The characters drawn as boxes. Default: `UNSEEN`. */
  readonly unseen?: RegExp | undefined
}): ReactNode {
  const visible = (piece: string): ReactNode => (
    <VisibleText text={piece} {...(unseen && { unseen })} />
  )
  return alternating(text, /([ \t\n]+)/).map(({ piece, isMatch }, at) =>
    isMatch ? (
      <Fragment key={at}>{visible(piece)}</Fragment>
    ) : (
      <span key={at} className="inline-block max-w-full" data-word>
        {alternating(piece, FROM_RIGHT).map((part, place) =>
          part.isMatch ? (
            <bdi key={place}>{visible(part.piece)}</bdi>
          ) : (
            <Fragment key={place}>{visible(part.piece)}</Fragment>
          ),
        )}
      </span>
    ),
  )
})

interface Piece {
  readonly piece: string
  readonly isMatch: boolean
}

/** The matching pieces of a text and those between them, without empty ones. */
function alternating(text: string, pattern: RegExp): readonly Piece[] {
  return text
    .split(pattern)
    .map((piece, at) => ({ piece, isMatch: at % 2 === 1 }))
    .filter(({ piece }) => piece !== '')
}

/** A shell text, page by page. */
export function LongShellText({
  text,
  label,
  height,
}: {
  readonly text: string
  readonly label: string
  readonly height?: BoxHeight
}): ReactNode {
  return (
    <LongText text={text}>
      {(shown) => (
        <ShellBox label={label} height={height}>
          <ShellText text={shown} />
        </ShellBox>
      )}
    </LongText>
  )
}

/** The maximum height of a shell text, as a class. */
type BoxHeight = 'max-h-[60vh]' | 'max-h-[40vh]' | 'max-h-[20vh]'

/** The box around a shell text. */
export function ShellBox({
  label,
  height = 'max-h-[60vh]',
  children,
}: {
  readonly label: string
  readonly height?: BoxHeight | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    // Focusable, because it may scroll.
    <div
      className={`overflow-auto rounded-md border border-line bg-code px-2.5 py-2 font-code text-[12.5px] leading-[1.75] wrap-anywhere whitespace-pre-wrap ${height}`}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      {children}
    </div>
  )
}

/**
 * The code that the call may run and the shell text to run, folded; or a notice that the command
 * runs as written.
 */
export function RunsAs({
  decision,
  height = 'max-h-[40vh]',
}: {
  readonly decision: Pick<Decision, 'runs' | 'unprinted' | 'code'>
  readonly height?: BoxHeight
}): ReactNode {
  return (
    <>
      <RunsCode code={decision.code} />
      <RunsText {...decision} height={height} />
    </>
  )
}

function RunsCode({ code }: { readonly code: Decision['code'] | undefined }): ReactNode {
  const { t } = useWords()
  const { files = [] } = code ?? {}
  if (!code?.anything && files.length === 0) return null
  return (
    <p className="text-ink-2">
      {code?.anything && t('approvals.anyCode')}{' '}
      {files.length > 0 && (
        <>
          {t('approvals.codeFiles')} <VisibleText text={files.join(', ')} />
        </>
      )}
    </p>
  )
}

function RunsText({
  runs,
  unprinted,
  height,
}: Pick<Decision, 'runs' | 'unprinted'> & { readonly height: BoxHeight }): ReactNode {
  const { t } = useWords()
  if (unprinted !== undefined)
    return (
      <p className="text-ink-2">
        {t('approvals.unprinted')} <VisibleText text={reasonSentence(unprinted, t)} />
      </p>
    )
  if (runs === undefined) return null
  const label = t('approvals.runsAs')
  return (
    <details className="grid grid-cols-1 gap-1">
      <summary className="label cursor-pointer">{label}</summary>
      <LongShellText text={runs} label={label} height={height} />
    </details>
  )
}
