import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import { ApiError } from '@toolglot/server/client'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toasts.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { errorText } from '../app/use-api.ts'
import { ReviewList } from './review-list.tsx'
import { reviewRows } from './review-rows.ts'
import { type TrustOffer, trustStateOf, TrustWords } from './trust-words.tsx'
import { Button } from '../ui/button.tsx'

/** Lists the effects of a folder's settings and asks if the user trusts them. */
export function TrustDialog({
  folder,
  open,
  onOpenChange,
  onLater,
}: {
  readonly folder: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** Called if the user postpones the decision. */
  readonly onLater?: (() => void) | undefined
}): ReactNode {
  const { t } = useWords()
  const client = useClient()
  // The list does not change while it is open, so the user trusts exactly what was shown.
  const { data, error, refetch } = useQuery({
    queryKey: ['trust review', folder],
    queryFn: () => client.request('GET /api/trust', { query: { folder } }),
    enabled: ({ state }) => open && state.data === undefined,
    gcTime: 0,
  })
  return (
    <Dialog
      {...{ open, onOpenChange }}
      title={t('folders.title')}
      place="large"
      className="flex flex-col overflow-hidden"
    >
      {error && (
        <div className="pane-content">
          <Banner kind="no" icon="folder">
            {errorText(error)}
          </Banner>
        </div>
      )}
      {data ? (
        <Review
          offer={data}
          close={() => onOpenChange(false)}
          {...{ onLater }}
          showAgain={async () => void (await refetch())}
        />
      ) : (
        !error && <div className="skeleton m-4" />
      )}
    </Dialog>
  )
}

function Review({
  offer,
  close,
  onLater,
  showAgain,
}: {
  readonly offer: TrustOffer
  readonly close: () => void
  readonly onLater: (() => void) | undefined
  readonly showAgain: () => Promise<void>
}): ReactNode {
  const { t } = useWords()
  const client = useClient()
  const queries = useQueryClient()
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const state = trustStateOf(offer)
  const rows = reviewRows(offer)
  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      close()
      toast({ title: done })
      // Rules, tools, servers and models depend on trust.
      void queries.invalidateQueries()
    } catch (error) {
      const isChanged = error instanceof ApiError && error.code === 'settings_changed'
      if (isChanged) await showAgain()
      setProblem(isChanged ? t('folders.changedMeanwhile') : errorText(error))
    }
    setBusy(false)
  }
  const trust = (): Promise<void> =>
    act(
      () =>
        client.request('POST /api/trust', {
          body: { folder: offer.folder, digests: offer.digests },
        }),
      t('folders.trusted.done'),
    )
  const revoke = (): Promise<void> =>
    act(
      () =>
        client.request('DELETE /api/trust', {
          query: { folder: offer.trustedAt ?? offer.folder },
        }),
      t('folders.revoked.done'),
    )
  return (
    <>
      <div className="grid gap-1.5 px-4 pt-2 pb-3">
        <code className="font-mono break-all">
          <VisibleText text={offer.folder} />
        </code>
        <span className="cluster flex-nowrap font-510">
          <TrustWords trust={state} isLong />
        </span>
        <p className="text-ink-2">{t(EXPLAINED[state])}</p>
        {state === 'trusted' &&
          offer.trustedAt !== undefined &&
          offer.trustedAt !== offer.folder && (
            <p className="break-all text-ink-2">
              <VisibleText text={t('folders.trustedAt', { folder: offer.trustedAt })} />
            </p>
          )}
        {offer.problems.map(({ file, line, reason }) => (
          <Banner key={`${file}:${line}:${reason}`} kind="no" icon="hand">
            <VisibleText text={`${file}${line === undefined ? '' : `:${line}`}: ${reason}`} />
          </Banner>
        ))}
        {problem !== undefined && (
          <Banner kind="no" icon="hand">
            {problem}
          </Banner>
        )}
      </div>
      {rows.length > 0 && <ReviewList rows={rows} folder={offer.folder} />}
      <footer className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
        {state === 'trusted' ? (
          <Button className="text-no" disabled={isBusy} onClick={() => void revoke()}>
            {t('folders.revoke')}
          </Button>
        ) : (
          state !== 'nothing' && (
            <Button
              look="primary"
              disabled={isBusy || offer.problems.length > 0}
              onClick={() => void trust()}
            >
              {t('folders.trust')}
            </Button>
          )
        )}
        <Button
          onClick={() => {
            if (state !== 'trusted') onLater?.()
            close()
          }}
        >
          {t(state === 'trusted' || state === 'nothing' ? 'shell.close' : 'folders.notNow')}
        </Button>
      </footer>
    </>
  )
}

const EXPLAINED = {
  trusted: 'folders.trusted.explained',
  changed: 'folders.changed.explained',
  untrusted: 'folders.untrusted.explained',
  nothing: 'folders.nothing.explained',
  gone: 'folders.gone',
} as const
