import { z } from 'zod'
import type { DescribedRoute } from './openapi.ts'

const chatRequest = z.looseObject({
  model: z.string().describe('A name listed by GET /v1/models.'),
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
  stream: z.boolean().optional(),
})

const responsesRequest = z.looseObject({
  model: chatRequest.shape.model,
  input: z.union([z.string(), z.array(z.looseObject({}))]),
  tools: chatRequest.shape.tools,
  previous_response_id: z.string().optional(),
  stream: z.boolean().optional(),
})

const messagesRequest = z.looseObject({
  model: chatRequest.shape.model,
  messages: chatRequest.shape.messages,
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  stream: z.boolean().optional(),
})

const messagesErrors = {
  about: 'The request was refused or failed.',
  schema: z.object({
    type: z.literal('error'),
    error: z.object({
      type: z.string(),
      message: z.string(),
      details: z.object({ error_code: z.string() }),
    }),
  }),
}

const errors = {
  about: 'The request was refused or failed.',
  schema: z.object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  }),
}

const model = z.looseObject({ id: z.string(), object: z.literal('model') })

/** Descriptions of the login and the gateway, which are not endpoints. */
export const OTHER_ROUTES: Readonly<Record<string, DescribedRoute>> = {
  logIn: {
    name: 'POST /api/login',
    about: 'Log a browser in with the code of a login link.',
    details: 'A code works once, within ten minutes. `toolglot token --link` prints a link.',
    body: z.strictObject({ code: z.string().describe('The part after `#login=` in the link.') }),
    answers: { 204: { about: 'The browser is logged in: the response sets the cookie.' } },
    open: true,
  },
  logOut: {
    name: 'POST /api/logout',
    subject: 'login',
    about: 'End the session of a browser.',
    answers: { 204: { about: 'Logged out.' } },
  },
  createChatCompletion: {
    name: 'POST /v1/chat/completions',
    about: 'Complete a chat, as in the API of OpenAI. Any model can call tools.',
    details: 'A token with the scope `gateway` is sufficient.',
    subject: 'gateway',
    errors,
    body: chatRequest,
    answers: { 200: { about: 'The answer, or its chunks.', schema: z.looseObject({}) } },
  },
  createResponse: {
    name: 'POST /v1/responses',
    about: 'Complete a chat, as in the Responses API of OpenAI.',
    details: 'A token with the scope `gateway` is sufficient.',
    subject: 'gateway',
    errors,
    body: responsesRequest,
    answers: { 200: { about: 'The response, or its events.', schema: z.looseObject({}) } },
  },
  createMessage: {
    name: 'POST /v1/messages',
    about: 'Complete a chat, as in the Messages API of Anthropic.',
    details: 'A token with the scope `gateway` is sufficient.',
    subject: 'gateway',
    errors: messagesErrors,
    body: messagesRequest,
    answers: { 200: { about: 'The message, or its events.', schema: z.looseObject({}) } },
  },
  countMessageTokens: {
    name: 'POST /v1/messages/count_tokens',
    about:
      'Estimate the number of tokens of a request to `/v1/messages`, without a request to the model.',
    details: 'A token with the scope `gateway` is sufficient.',
    subject: 'gateway',
    errors: messagesErrors,
    body: messagesRequest,
    answers: { 200: { about: 'The estimate.', schema: z.object({ input_tokens: z.int() }) } },
  },
  listGatewayModels: {
    name: 'GET /v1/models',
    about: 'List the models that the gateway serves.',
    details: 'A token with the scope `gateway` is sufficient.',
    subject: 'gateway',
    errors,
    answers: { 200: { about: 'The models.', schema: z.looseObject({ data: z.array(model) }) } },
  },
}
