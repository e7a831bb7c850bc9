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
    <ul
      className="flex max-h-[30vh] flex-wrap gap-1.5 overflow-auto px-2.5 pt-2"
      aria-label={t('compose.attached')}
    >
      {files.map(({ id, name, size, attachment }) => (
        <li
          key={id}
          className="flex max-w-full items-center gap-1.5 rounded-md border border-line-2 py-0.5 pr-0.5 pl-[7px] text-12"
        >
          {attachment.type === 'image' ? (
            <img
              className="-ml-1 size-[26px] rounded-sm object-cover"
              src={attachment.url}
              alt=""
            />
          ) : (
            <Icon name="parser" className="text-ink-3" />
          )}
          <span className="min-w-0 truncate">
            <VisibleText text={name} />
          </span>
          <span className="text-ink-3 tabular-nums">{kilobytes(size, number)}</span>
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
