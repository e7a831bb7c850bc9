import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDialog } from '../../app/dialogs.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useWords } from '../../words/words.ts'

/** What else can be done with a run. */
export function RunMenu({
  run,
  title,
  name,
}: {
  readonly run: string
  readonly title: string
  /** Its name now. */
  readonly name: string
}): ReactNode {
  const { t } = useWords()
  const navigate = useNavigate()
  const openDialog = useDialog()
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      <Menu
        align="end"
        label={t('shell.run.more', { title })}
        trigger={
          <button
            type="button"
            className="icon-btn"
            aria-label={t('runs.more')}
            title={t('runs.more')}
          >
            <Icon name="more" />
          </button>
        }
        items={[
          {
            label: t('runs.openChat'),
            icon: 'chat',
            run: () => void navigate({ to: '/chats/$run', params: { run } }),
          },
          {
            label: t('runs.rename'),
            icon: 'edit',
            run: () => openDialog({ type: 'rename', run, title: name }),
          },
          { label: t('runs.export'), icon: 'export', run: () => setExporting(true) },
          {
            label: t('runs.delete'),
            icon: 'trash',
            isDanger: true,
            run: () => openDialog({ type: 'delete', run, title }),
          },
        ]}
      />
      {isExporting && <ExportDialog run={run} close={() => setExporting(false)} />}
    </>
  )
}

/** Says what an export contains before it is saved. */
function ExportDialog({
  run,
  close,
}: {
  readonly run: string
  readonly close: () => void
}): ReactNode {
  const { t } = useWords()
  return (
    <Dialog open onOpenChange={close} title={t('runs.export')}>
      <div className="pad">
        <p>{t('runs.export.about')}</p>
        <p className="text-ask">{t('runs.export.secrets')}</p>
        <div className="rowline">
          <a
            className="btn pri"
            href={`/api/runs/${encodeURIComponent(run)}/export`}
            download={`${run.replaceAll(/[^\w.-]+/g, '-')}.jsonl`}
            onClick={() => setTimeout(close)}
          >
            {t('runs.export.do')}
          </a>
          <button type="button" className="btn" onClick={close}>
            {t('shell.cancel')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
