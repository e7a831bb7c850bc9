/** The response is not a valid reply. The caller adds which server sent it. */
export class GarbledReply extends Error {}
