import { useRef, type ReactNode } from 'react'
import { useCommands } from '../../app/commands.ts'
import { saveText } from '../../chat/calls/save-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { replyFragment } from '../parser-link.ts'
import {
  parserState,
  type ParserState,
  takeTyped,
  changeParser,
  loadReply,
} from '../parser-store.ts'
import { useSources } from '../sources.ts'
import type { UsedTools } from '../use-tools.ts'
import { type SharedReply, writeShared, type OpenedReply, readShared } from './shared-reply.ts'
import { MAX_FILE } from '../limits.ts'
import { sharedOf } from './shared-of.ts'
import { Button } from '../../ui/button.tsx'

/** Shares the reply with its options, and opens shared replies. */
export function ShareButtons({
  tools,
  isEmpty,
  state,
}: {
  readonly tools: UsedTools
  readonly isEmpty: boolean
  /** The parser options of the displayed reply. */
  readonly state: ParserState
}): ReactNode {
  const { t } = useWords()
  const { linkTo } = useSources()
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const sharedNow = (): SharedReply => {
    takeTyped()
    const { text } = parserState()
    return sharedOf({ ...state, text }, tools.used)
  }
  const save = (): void => saveText('reply.toolglot.json', writeShared(sharedNow(), 2))
  const copyLink = async (): Promise<void> => {
    const shared = sharedNow()
    const fragment = await replyFragment(shared)
    if (fragment === undefined) {
      toast({ title: t('parser.link.tooLong'), kind: 'ask' })
      return
    }
    try {
      await navigator.clipboard.writeText(linkTo(fragment))
      toast({ title: t('parser.link.copied', namesIn(shared)) })
    } catch {
      toast({ title: t('shell.notCopied'), kind: 'no' })
    }
  }
  const open = (): void => input.current?.click()
  useCommands([
    { id: 'parser open', label: 'parser.open.file', group: 'here', icon: 'folder', run: open },
    ...(isEmpty
      ? []
      : [
          {
            id: 'parser share',
            label: 'parser.share',
            group: 'here',
            icon: 'share',
            run: save,
          } as const,
          {
            id: 'parser link',
            label: 'parser.link',
            group: 'here',
            icon: 'copy',
            run: () => void copyLink(),
          } as const,
        ]),
  ])
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('parser.open.file')}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) void openFile(file)
        }}
      />
      <Button
        look="ghost"
        className="phone:hidden!"
        title={t('parser.open.file')}
        aria-label={t('parser.open.short')}
        onClick={open}
      >
        <Icon name="folder" />
        <span className="max-[1281px]:hidden">{t('parser.open.short')}</span>
      </Button>
      <Button
        look="ghost"
        className="phone:hidden!"
        disabled={isEmpty}
        title={t('parser.link')}
        aria-label={t('parser.link')}
        onClick={() => void copyLink()}
      >
        <Icon name="copy" />
        <span className="max-[1281px]:hidden">{t('parser.link')}</span>
      </Button>
      <Button
        disabled={isEmpty}
        title={t('parser.share.about')}
        aria-label={t('parser.share')}
        onClick={save}
      >
        <Icon name="share" />
        <span>{t('parser.share')}</span>
      </Button>
    </>
  )
}

/** The shared parts besides the text, for the description. */
function namesIn({ tools = [], drawn }: SharedReply): { tools: number; drawn: number } {
  return { tools: tools.length, drawn: drawn === undefined ? 0 : 1 }
}

/** Shows an opened reply and its problems. `from` is the address's fragment that contains it. */
export function showOpened({ reply, problem }: OpenedReply, from?: string): void {
  if (reply) loadReply(reply, problem, from)
  else changeParser({ notice: problem, from })
}

/** Opens a shared file or any text file. Its size is checked before reading. */
export async function openFile(file: File): Promise<void> {
  if (file.size > MAX_FILE) {
    showOpened({ problem: { type: 'file-too-large' } })
    return
  }
  try {
    showOpened(readShared(await file.text()))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    changeParser({ notice: { type: 'failed', message } })
  }
}
