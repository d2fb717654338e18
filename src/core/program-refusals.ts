/**
 * Refusals that no person meets: faults of how a program sends its request. They are in English alone; a person who sees
 * one nevertheless reads the text of its kind.
 */

export const programRefusals = {
  noToken: { kind: 'unauthorized', text: 'A bearer token is required, and the request has none.' },
  otherScheme: {
    kind: 'unauthorized',
    text: 'A bearer token is required, and the Authorization header has credentials of another kind.',
  },
  malformedToken: {
    kind: 'unauthorized',
    text: 'The Authorization header must be the word Bearer and one token.',
  },
  foreignToken: { kind: 'unauthorized', text: 'This service has not issued the token.' },
  tokenExpired: { kind: 'unauthorized', text: 'The token has expired.' },
  malformedApiKey: {
    kind: 'unauthorized',
    text: 'This is not an API key: its form or its checksum is wrong.',
  },
  unknownApiKey: {
    kind: 'unauthorized',
    text: 'There is no such API key. It may have been revoked.',
  },
  apiKeyExpired: { kind: 'unauthorized', text: 'The API key has expired.' },
  apiKeyWithoutUser: {
    kind: 'unauthorized',
    text: 'The user for whom the API key acts is deactivated or deleted.',
  },
  apiKeyAddress: { kind: 'forbidden', text: 'This API key does not allow the address {address}.' },
  twoCredentials: {
    kind: 'unauthorized',
    text: 'Authorization and X-Api-Key have different credentials.',
  },
  logoutTokenNotAccepted: { kind: 'invalid', text: 'The logout token is not accepted.' },
  noSuchClientKey: { kind: 'notFound', text: 'This tenant has no such key.' },
  operatorRequired: { kind: 'forbidden', text: 'Only the operator may reach every tenant.' },
  noTenantWithId: { kind: 'notFound', text: 'No tenant has such an id.' },
  /** One text for every cause, so that guessing reveals neither which providers exist nor how close a guess was. */
  signatureNotVerified: {
    kind: 'invalid',
    text:
      'The signature could not be verified. Check that the provider is configured for this tenant with this secret ' +
      'and scheme, that the signature header arrives whole, that the body arrives byte for byte as it was signed, ' +
      'and that the clocks agree.',
  },

  bodyMissing: { kind: 'invalid', text: 'The body is missing: it must be application/json.' },
  bodyEmpty: { kind: 'invalid', text: 'The body is empty.' },
  bodyIncomplete: { kind: 'invalid', text: 'The body is incomplete.' },
  bodyNotJson: { kind: 'invalid', text: 'The body is not valid JSON.' },
  bodyNotUtf8: { kind: 'invalid', text: 'The body is not valid UTF-8.' },
  bodyNotGzip: { kind: 'invalid', text: 'The body is not valid gzip.' },
  otherLength: { kind: 'invalid', text: 'The Content-Length does not match the body.' },
  otherEncoding: {
    kind: 'unsupportedMediaType',
    text: 'The Content-Encoding of a request body must be gzip.',
  },
  encodedBody: { kind: 'unsupportedMediaType', text: '{subject} must not have a Content-Encoding.' },
  badAddressEncoding: { kind: 'invalid', text: 'The address is not validly encoded.' },
  oneHostRequired: { kind: 'invalid', text: 'There must be exactly one Host header.' },
  tooManyBodies: { kind: 'overloaded', text: 'Too many request bodies are being received.' },
  tooManyReplies: { kind: 'unavailable', text: 'Too many large replies are waiting to be read.' },
  tooManyMembers: {
    kind: 'invalid',
    text: 'The body has more than {limit} members, lists and objects.',
  },
  nestedTooDeep: { kind: 'invalid', text: 'The body is nested deeper than {limit} levels.' },

  formNotOwn: { kind: 'forbidden', text: 'The form was not sent by this page.' },
  formEncoding: {
    kind: 'unsupportedMediaType',
    text: 'The form must be application/x-www-form-urlencoded.',
  },
  formWithoutBoundary: { kind: 'invalid', text: 'The form has no boundary.' },
  formWithoutFile: { kind: 'invalid', text: 'The form has no file.' },
  formFieldTooLong: { kind: 'invalid', text: 'A field before the file is too long.' },
  formHeadersTooLong: { kind: 'invalid', text: 'The headers of a part are too long.' },
  formIncomplete: { kind: 'invalid', text: 'The form is incomplete.' },
  fileWithoutType: { kind: 'unsupportedMediaType', text: 'The file needs a Content-Type.' },
  fileNotRead: { kind: 'unavailable', text: 'The file could not be read to its end.' },

  idsOrQuery: { kind: 'invalid', text: 'Give either ids or query.' },
  rowTooLarge: {
    kind: 'invalid',
    text: 'A row of the list is too large: name the members to return in fields.',
  },
  searchNotText: { kind: 'invalid', text: 'The search term is not valid text.' },
  listTooLong: { kind: 'invalid', text: 'A list is described by {limit} bytes at most.' },
  noSuchEventType: { kind: 'notFound', text: '{type} is no type of event.' },
  foreignEventId: { kind: 'invalid', text: 'The Last-Event-ID is not valid for this database.' },
  tooManyWebSockets: { kind: 'tooManyRequests', text: 'There are too many WebSockets.' },
  tenantMoved: {
    kind: 'unavailable',
    text: 'The tenant was moved to another database. Subscribe again.',
  },
  queryRequired: { kind: 'invalid', text: 'query: is required' },
  noJsonObject: { kind: 'invalid', text: '{name}: must be a JSON object' },
  replyTypes: { kind: 'notAcceptable', text: 'The reply is {types}.' },
  subscriptionByStream: {
    kind: 'notAcceptable',
    text: 'A subscription requires a WebSocket (graphql-transport-ws), or Accept: text/event-stream.',
  },
  mutationByPost: { kind: 'methodNotAllowed', text: 'A mutation requires POST.' },

  preferencesNeedUser: {
    kind: 'forbidden',
    text: 'Preferences belong to a user, and this API key acts for none.',
  },
  tooManyPreferences: {
    kind: 'invalid',
    text: 'A user has at most {limit} preferences. Delete one first.',
  },
  noSuchPreference: { kind: 'notFound', text: 'You have no such preference.' },
  noSuchLogo: { kind: 'notFound', text: 'The tenant has no such logo.' },
  eventNameTooLong: { kind: 'invalid', text: 'The name of the event is longer than {limit} characters.' },
  eventReserved: {
    kind: 'invalid',
    text: 'The event type {type} is reserved for changes of this service. The event is not published.',
  },
  eventWithoutType: { kind: 'invalid', text: 'The event cannot be published, because it has no type.' },
  eventWithoutOrder: { kind: 'invalid', text: 'The event names no order.' },
} as const
