import type { ApiAnswer } from '@toolglot/server/client'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApi, useDo, errorText } from '../../app/use-api.ts'
import { TrustDialog } from '../../folders/trust-dialog.tsx'
import { TRUST_WORDS } from '../../folders/trust-words.tsx'
import { useFolder } from '../../folders/use-folder.ts'
import { useToast } from '../../ui/toasts.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { usePathText } from '../../folders/short-path.ts'
import { useSettings } from '../use-settings.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Item } from '../item.tsx'

type Known = ApiAnswer<'GET /api/folders'>[number]

/** The known folders and their trust. */
export default function FoldersPage(): ReactNode {
  const { t } = useWords()
  const folders = useApi('GET /api/folders', {})
  const { folder: selected } = useFolder()
  const { data: settings } = useSettings()
  const [reviewed, setReviewed] = useState<string>()
  // The selected folder may have no runs yet.
  const here = settings?.folder ?? selected
  return (
    <PageFrame title={t('settings.page.folders')} about={t('settings.folders.about')}>
      <Loaded query={folders}>
        {(known) => {
          const all: readonly Known[] =
            settings && known.every(({ folder }) => folder !== settings.folder)
              ? [{ folder: settings.folder, trust: settings.trust, isDefault: false }, ...known]
              : known
          return (
            <div className="card">
              {all.map((each) => (
                <FolderRow
                  key={each.folder}
                  known={each}
                  isHere={each.folder === here}
                  review={() => setReviewed(each.folder)}
                />
              ))}
            </div>
          )
        }}
      </Loaded>
      <p className="text-ink-2">{t('settings.folders.what')}</p>
      {reviewed !== undefined && (
        <TrustDialog
          folder={reviewed}
          open
          onOpenChange={(open) => {
            if (!open) setReviewed(undefined)
          }}
        />
      )}
    </PageFrame>
  )
}

function FolderRow({
  known: { folder, trust, isDefault, lastRun },
  isHere,
  review,
}: {
  readonly known: Known
  readonly isHere: boolean
  readonly review: () => void
}): ReactNode {
  const { t, date } = useWords()
  const toast = useToast()
  const page = useFolder()
  const pathText = usePathText()
  // Only for the selected folder is it known if there is anything to trust.
  const shown = (isHere ? page.trust : undefined) ?? trust
  const revoke = useDo('DELETE /api/trust', [
    'GET /api/folders',
    'GET /api/settings',
    'GET /api/trust',
    'GET /api/status',
    'GET /api/mcp',
    'GET /api/permit/lint',
  ])
  const stopTrusting = (): void =>
    revoke.mutate(
      { query: { folder } },
      {
        onSuccess: ({ trust: now, trustedAt }) =>
          toast(
            now === 'trusted'
              ? {
                  title: t('settings.folders.stillTrusted'),
                  text: t('settings.folders.byParent', { folder: trustedAt ?? '' }),
                  kind: 'ask',
                }
              : { title: t('settings.folders.revoked'), text: folder },
          ),
        onError: (error) =>
          toast({ title: t('settings.notSaved'), text: errorText(error), kind: 'no' }),
      },
    )
  const isKnownTrust = trust === 'trusted' || trust === 'changed' || trust === 'gone'
  return (
    <Item
      tone={TRUST_WORDS[shown].dot}
      name={
        <code className={`text-[12.5px] ${isHere ? 'font-600' : ''}`}>
          <VisibleText text={pathText(folder)} />
        </code>
      }
      title={folder}
      about={
        <>
          {t(TRUST_WORDS[shown].long)}
          {isHere && <Chip>{t('settings.folders.here')}</Chip>}
          {isDefault && <Chip>{t('settings.folders.default')}</Chip>}
        </>
      }
      fact={lastRun !== undefined && date(lastRun, { dateStyle: 'medium' })}
      actions={
        <>
          {(shown === 'untrusted' || shown === 'changed') && (
            <Button small onClick={review}>
              {t('shell.review')}
            </Button>
          )}
          {isKnownTrust && (
            <Button small disabled={revoke.isPending} onClick={stopTrusting}>
              {t('settings.folders.revoke')}
            </Button>
          )}
          {!isHere && trust !== 'gone' && (
            <Button small onClick={() => page.select(isDefault ? undefined : folder)}>
              {t('settings.folders.open')}
            </Button>
          )}
        </>
      }
    />
  )
}
