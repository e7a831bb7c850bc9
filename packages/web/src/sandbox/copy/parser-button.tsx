import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'

/** Shows a call as a model would write it in the Parser. */
export function ParserButton({
  text,
  protocol,
}: {
  readonly text: string
  readonly protocol: string
}): ReactNode {
  const { t } = useWords()
  const { history } = useRouter()
  const toast = useToast()
  const open = async (): Promise<void> => {
    const { parserLink } = await import('../../parser/parser-link.ts')
    const link = await parserLink(text, { protocol })
    if (link === undefined) toast({ title: t('sandbox.copy.tooLong'), kind: 'no' })
    else history.push(link)
  }
  return (
    <button
      type="button"
      className="icon-btn sm"
      aria-label={t('sandbox.copy.parser')}
      title={t('sandbox.copy.parser')}
      onClick={() => void open()}
    >
      <Icon name="parser" />
    </button>
  )
}
