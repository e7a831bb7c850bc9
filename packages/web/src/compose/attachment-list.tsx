import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import type { AttachedFile } from './attachments.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** The attachments of the message. */
export function AttachmentList({
  files,
  onRemove,
}: {
  readonly files: readonly AttachedFile[]
  readonly onRemove: (id: string) => void
}): ReactNode {
  const { t, number } = useWords()
  if (files.length === 0) return null
  return (
    <ul className="attached" aria-label={t('compose.attached')}>
      {files.map(({ id, name, size, attachment }) => (
        <li key={id}>
          {attachment.type === 'image' ? (
            <img src={attachment.url} alt="" />
          ) : (
            <Icon name="parser" className="dim-2" />
          )}
          <span className="cut">
            <VisibleText text={name} />
          </span>
          <span className="dim-2 num">{kilobytes(size, number)}</span>
          <IconButton icon="x" label={t('compose.remove', { name })} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  )
}

function kilobytes(
  size: number,
  number: (value: number, options: Intl.NumberFormatOptions) => string,
): string {
  const isLarge = size >= 1e6
  return number(isLarge ? size / 1e6 : Math.max(size / 1e3, 0.1), {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: 1,
  })
}
