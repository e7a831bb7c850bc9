/** The response is not a valid reply. The caller adds which server sent it. */
export class GarbledReply extends Error {}

/** The response is a web page, so there is no API at this address: asking again would not help. */
export class HtmlReply extends Error {
  constructor(html: string) {
    const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(html.slice(0, 10_000))?.[1]?.trim()
    super(title === undefined ? `one that starts with ${html}` : `titled "${title}"`)
  }
}
