import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'

/** A link written by a model. Shows its target, and opens only web pages. */
export function ModelLink({
  href,
  text,
  children,
}: {
  readonly href: string | undefined
  /** Its text. */
  readonly text: string
  readonly children: ReactNode
}): ReactNode {
  const url = href !== undefined && URL.canParse(href) ? new URL(href) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb)
    return (
      <span>
        {children}
        {href !== undefined && href !== '' && (
          <span className="host">
            (<VisibleText text={href.slice(0, 200)} />)
          </span>
        )}
      </span>
    )
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" title={url.href}>
      {children}
      {!saysHost(text, url) && (
        <span className="host">
          (<VisibleText text={url.host} />)
        </span>
      )}
    </a>
  )
}

/** An image in a text, as a link, because displaying it would send a request. */
export function ModelImage({
  src,
  alt,
}: {
  readonly src: string | undefined
  readonly alt: string
}): ReactNode {
  const { t } = useWords()
  const text = alt ? t('chat.imageOf', { alt }) : t('chat.image')
  return (
    <ModelLink href={src} text={text}>
      <VisibleText text={text} />
    </ModelLink>
  )
}

/**
 * True if the text of a link starts with the host that it leads to, and contains it nowhere else.
 */
export function saysHost(
  text: string,
  { protocol, host }: Pick<URL, 'protocol' | 'host'>,
): boolean {
  const said = text.trim().toLowerCase()
  const address = said.startsWith(`${protocol}//`) ? said.slice(protocol.length + 2) : said
  // These characters end a host. Any other could make it a user name or a part of another host.
  return address.startsWith(host) && /^(?:[/?#]|$)/.test(address.slice(host.length))
}
