import { CatchBoundary } from '@tanstack/react-router'
import { lazy, memo, Suspense, useDeferredValue } from 'react'
import type { ReactNode } from 'react'
import { LongText } from '../../ui/long-text.tsx'
import { useWords } from '../../words/words.ts'
import type { TextBlock } from '../rows/text-blocks.ts'
import { CodeBlock } from './code-block.tsx'

// Loaded once there is text to draw. If loading fails, the text is shown unformatted.
const Markdown = lazy(() => import('./markdown.tsx').catch(() => ({ default: AsWritten })))

function AsWritten({ text }: { readonly text: string }): ReactNode {
  return <p className="whitespace-pre-wrap">{text}</p>
}

/** Classes of literal text in the surrounding font. */
export const PLAIN = '[font-family:inherit] wrap-anywhere whitespace-pre-wrap'

/**
 * While it grows, a longer block is not parsed as Markdown, since that would be repeated for every
 * word.
 */
const MAX_OPEN = 3000

/** A block of text that the model wrote to the user. */
export const Prose = memo(function Prose({
  block,
  isOpen = false,
}: {
  readonly block: TextBlock
  /** True if the block is still being written. */
  readonly isOpen?: boolean
}): ReactNode {
  return (
    <div className="prose" data-open={isOpen || undefined} dir="auto">
      <Block block={block} isOpen={isOpen} />
    </div>
  )
})

function Block({
  block,
  isOpen,
}: {
  readonly block: TextBlock
  readonly isOpen: boolean
}): ReactNode {
  const { text } = block
  if (block.type === 'code')
    return <CodeBlock text={text} language={block.language} isOpen={isOpen} />
  if (block.type === 'plain' || (isOpen && text.length > MAX_OPEN)) return <Plain text={text} />
  return (
    // The text stays readable even if the Markdown renderer fails.
    <CatchBoundary getResetKey={() => text} errorComponent={() => <Plain text={text} />}>
      <Suspense fallback={<AsWritten text={text} />}>
        {isOpen ? <Growing text={text} /> : <Markdown text={text} />}
      </Suspense>
    </CatchBoundary>
  )
}

/** Growing text, which has a lower priority than the user's actions. */
function Growing({ text }: { readonly text: string }): ReactNode {
  return <Markdown text={useDeferredValue(text)} />
}

function Plain({ text }: { readonly text: string }): ReactNode {
  const { t } = useWords()
  return (
    <LongText text={text}>
      {(shown) => (
        <pre className={PLAIN} tabIndex={0} role="region" aria-label={t('chat.text')}>
          {shown}
        </pre>
      )}
    </LongText>
  )
}
