import { useId } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useChatActions } from '../chat-actions.ts'

/** A foldable box in the conversation. */
export function Bubble({
  id,
  kind = '',
  place = 'alone',
  isUnfolded,
  head,
  end,
  children,
}: {
  /** The key of its row. */
  readonly id: string
  readonly kind?: BubbleKind
  readonly place?: keyof typeof SHAPES
  readonly isUnfolded: boolean
  readonly head: ReactNode
  /** The end of its first line. */
  readonly end?: ReactNode
  /** Its content when unfolded. */
  readonly children: ReactNode
}): ReactNode {
  const { unfold } = useChatActions()
  const inner = useId()
  return (
    <div className={`overflow-hidden border ${SHAPES[place]} ${COLORS[kind]}`}>
      <button
        type="button"
        className={`${SUMMARY} ${place === 'alone' ? 'min-h-[34px] px-2.5 py-1' : 'min-h-7 border-t border-[color-mix(in_srgb,var(--call-line)_45%,transparent)] py-0 pr-2.5 pl-[34px] text-12'} ${HOVER[kind] ?? HOVERED}`}
        aria-expanded={isUnfolded}
        {...(isUnfolded && { 'aria-controls': inner })}
        onClick={() => unfold(id, !isUnfolded)}
      >
        {head}
        <SummaryEnd>{end}</SummaryEnd>
      </button>
      {isUnfolded && (
        <div
          className="grid gap-2 px-2.5 pt-0.5 pb-2.5 phone:[&_.button-ghost]:gap-0 phone:[&_.button-ghost]:text-[length:0px] [&_.code]:max-h-[300px] [&_.code]:border-call-line [&_.code]:bg-panel [&_p]:wrap-anywhere"
          id={inner}
        >
          {children}
        </div>
      )}
    </div>
  )
}

/** The end of a summary: the outcome and the disclosure arrow. */
export function SummaryEnd({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <span className="ml-auto flex flex-none items-center gap-[7px] text-12 text-ink-2">
      {children}
      <DisclosureArrow />
    </span>
  )
}

/** A disclosure arrow. Its button must have the class `group`. */
export function DisclosureArrow(): ReactNode {
  return (
    <Icon
      name="right"
      className="size-3.5 text-ink-3 transition-transform group-aria-expanded:rotate-90"
    />
  )
}

/** The kind of a bubble, which determines its color. */
export type BubbleKind = '' | 'pending' | 'failed' | 'denied' | 'unsure' | 'fake' | 'broken'

const COLORS: Readonly<Record<BubbleKind, string>> = {
  '': 'border-call-line bg-call-bg',
  pending: 'border-dashed border-call-line bg-call-bg',
  failed: 'border-no-line bg-call-bg',
  denied: 'border-line bg-sunk',
  unsure: 'border-ask-line bg-ask-bg',
  fake: 'border-fake-line bg-fake-bg',
  broken: 'border-no-line bg-no-bg',
}

/** The calls of an unfolded group follow its head without a gap. */
const SHAPES = {
  alone: 'rounded-lg',
  grouped: 'border-t-0',
  last: 'rounded-b-lg border-t-0',
} as const

/** Classes of a summary, the button that unfolds a bubble. */
export const SUMMARY =
  'group flex w-full items-center gap-2 focus-visible:rounded-lg focus-visible:shadow-[inset_0_0_0_2px_var(--call)] phone:min-h-10'

/** Hover color of a summary. */
export const HOVERED = 'hover:bg-[color-mix(in_srgb,var(--call-bg-2)_60%,transparent)]'
const HOVERED_GRAY = 'hover:bg-[color-mix(in_srgb,var(--ink)_4%,transparent)]'
const HOVER: Partial<Readonly<Record<BubbleKind, string>>> = {
  denied: HOVERED_GRAY,
  unsure: HOVERED_GRAY,
  fake: HOVERED_GRAY,
  broken: HOVERED_GRAY,
}
