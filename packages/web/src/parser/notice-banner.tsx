import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'

import { spellUnseen } from '../ui/unseen.ts'
import { type InLanguage, useWords } from '../words/words.ts'
import { MAX_FILE, MAX_INFLATED, MAX_TEXT } from './limits.ts'
import { changeParser, type Notice } from './parser-store.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** Problems that do not prevent the text from being used. */
const MILD: readonly Notice['type'][] = ['fields', 'version', 'no-protocol']

/** A problem with a text, a file or a link, and the part that was used. */
export function NoticeBanner({ notice }: { readonly notice: Notice }): ReactNode {
  const words = useWords()
  return (
    <Banner
      className="mx-4 mt-2"
      kind={MILD.includes(notice.type) ? 'ask' : 'no'}
      icon="hand"
      action={
        <IconButton
          icon="x"
          label={words.t('shell.close')}
          onClick={() => changeParser({ notice: undefined })}
        />
      }
    >
      {noticeText(notice, words)}
    </Banner>
  )
}

function noticeText(notice: Notice, { t, number }: InLanguage): string {
  switch (notice.type) {
    case 'too-long':
      return t('parser.notice.too-long', {
        length: number(notice.length),
        max: number(MAX_TEXT),
      })
    case 'too-large':
      return t('parser.notice.too-large', { max: number(MAX_INFLATED >> 20) })
    case 'file-too-large':
      return t('parser.notice.file-too-large', { max: number(MAX_FILE >> 20) })
    case 'no-protocol':
      return t('parser.notice.no-protocol', { protocol: spellUnseen(notice.protocol) })
    case 'version':
      return t('parser.notice.version', { version: spellUnseen(notice.version) })
    case 'fields':
      return t('parser.notice.fields', { fields: notice.fields })
    case 'failed':
      return t('parser.failed', { message: spellUnseen(notice.message) })
    case 'not-json':
    case 'no-text':
    case 'broken':
      return t(`parser.notice.${notice.type}`)
  }
}
