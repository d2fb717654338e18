/**
 * Refusals of a whole request that say more than their kind, each declared here alone. `{name}` stands for a parameter
 * of the code.
 */

/** Refusals that people read. Each has a text in every language of the service. */
export const refusals = {
  internal: {
    kind: 'internal',
    text: 'Something went wrong on our side. The request id is {requestId}.',
  },
  noSuch: { kind: 'notFound', text: 'There is no such {label}.' },
  nothingHere: { kind: 'notFound', text: 'There is nothing at this address.' },
  slashAtEnd: {
    kind: 'notFound',
    text: 'There is nothing at this address. Remove the slash at its end.',
  },

  permissionLacking: { kind: 'forbidden', text: 'This requires the permission {permission}.' },
  userRequired: { kind: 'forbidden', text: 'This requires a signed-in user, and an API key is none.' },
  callerRequired: { kind: 'forbidden', text: 'This requires a signed-in user or an API key.' },
  actingAsOther: { kind: 'forbidden', text: 'This is not possible while you act as another user.' },
  rowOutOfReach: { kind: 'forbidden', text: 'Your rights do not reach this {label} for that.' },
  nothingInReach: { kind: 'forbidden', text: 'Your rights reach no {labels} for that.' },
  fieldNotWritable: { kind: 'forbidden', text: '{field}: no caller writes it.' },
  fieldPermissionLacking: {
    kind: 'forbidden',
    text: '{field}: writing it requires the permission {permission}.',
  },
  restoreTakesReading: { kind: 'forbidden', text: 'Restoring {labels} takes the right to read them.' },
  restoreTakesCreating: {
    kind: 'forbidden',
    text: 'Restoring a deleted row takes the right to create one.',
  },
  wrongState: { kind: 'invalid', text: 'The {label} cannot be {event} in its state.' },
  otherState: {
    kind: 'invalid',
    text: 'The {label} is {state} and cannot be {event}: it must be {allowed}.',
  },
  inUse: { kind: 'invalid', text: 'The {label} is in use and cannot be deleted.' },
  countChanged: { kind: 'countChanged', text: '{present} rows match now: read the list again.' },
  rowTimedOut: { kind: 'unavailable', text: 'The request has taken its time. Repeat it for this row.' },
  costsTooMuch: { kind: 'tooManyRequests', text: 'Your recent operations cost too much. Try again later.' },

  signInExpired: { kind: 'badCredentials', text: 'The sign-in has expired. Begin it again.' },
  tooManyFailedSignIns: { kind: 'tooManyRequests', text: 'Too many failed sign-ins. Try again later.' },
  stepUpRequired: { kind: 'forbidden', text: 'Prove again who you are, with POST /api/auth/step-up.' },
  passkeyNotAccepted: {
    kind: 'badCredentials',
    text: 'The passkey is not accepted. Begin the sign-in again.',
  },
  wrongCode: { kind: 'badCredentials', text: 'The code is wrong, or it was used.' },
  tooManyWrongCodes: { kind: 'tooManyRequests', text: 'Too many wrong codes. Try again later.' },
  providerSignInRequired: {
    kind: 'forbidden',
    text: 'This organisation signs in at its identity provider.',
  },
  secondFactorKept: {
    kind: 'invalid',
    text: 'This organisation requires a second factor. Add another one first.',
  },
  noAuthenticator: { kind: 'notFound', text: 'There is no authenticator app.' },
  noSecondFactor: { kind: 'notFound', text: 'The user has no second factor.' },
  recoveryCodesNeedFactor: {
    kind: 'invalid',
    text: 'Recovery codes are for users with a second factor: add one first.',
  },
  tooManyPasskeys: { kind: 'invalid', text: 'A user has at most {limit} passkeys. Remove one first.' },
  sessionEnded: { kind: 'unauthorized', text: 'The session has ended.' },
  portalSessionEnded: {
    kind: 'unauthorized',
    text: 'There is no such portal session. It has expired, or was ended.',
  },

  grantsMore: { kind: 'forbidden', text: 'You cannot grant what you do not have: {missing}.' },
  roleGrantsMore: { kind: 'forbidden', text: 'The role grants what you do not have: {missing}.' },
  keyHasMore: { kind: 'forbidden', text: 'The API key has what you do not have: {missing}.' },
  holderHasMore: { kind: 'forbidden', text: 'A user with the role has what you do not have: {missing}.' },
  userHasMore: { kind: 'forbidden', text: 'The user has what you do not have: {missing}.' },
  invitationGrantsMore: {
    kind: 'forbidden',
    text: 'The invitation gives what you do not have: {missing}.',
  },
  roleInUse: { kind: 'invalid', text: 'The role is in use by {users} users and cannot be deleted.' },
  builtInRole: { kind: 'invalid', text: 'A built-in role cannot be changed.' },
  applicationRole: { kind: 'invalid', text: 'A role of the application cannot be changed.' },
  tooManyRoles: { kind: 'invalid', text: 'A tenant may have {limit} roles.' },
  ownAttributes: { kind: 'forbidden', text: 'Nobody changes their own attributes.' },
  lastHostAdmin: { kind: 'invalid', text: 'The host tenant has to keep an active administrator.' },
  breakGlassUser: {
    kind: 'invalid',
    text: 'While single sign-on is required, its break-glass user has to stay an active administrator.',
  },
  hostAdminRequired: {
    kind: 'forbidden',
    text: 'Only an administrator of the host tenant may act as another user.',
  },
  hostAdminProtected: {
    kind: 'forbidden',
    text: 'Nobody may act as an administrator of the host tenant.',
  },
  impersonationNotAllowed: {
    kind: 'forbidden',
    text: 'The tenant does not allow this (allowImpersonation).',
  },
  alreadyInitialized: { kind: 'invalid', text: 'The service is already initialized.' },
  setupTokenRequired: {
    kind: 'forbidden',
    text: 'The first administrator requires the setup token {place}, as X-Setup-Token or setupToken.',
  },
  keyCannotCreateKeys: { kind: 'forbidden', text: 'An API key cannot create API keys.' },
  tooManyApiKeys: { kind: 'invalid', text: 'A tenant may have {limit} API keys.' },
  inviterRequired: { kind: 'forbidden', text: 'Only a signed-in user may invite.' },
  tooManyInvitations: { kind: 'invalid', text: 'A tenant may have {limit} invitations.' },
  tooManyMails: { kind: 'tooManyRequests', text: 'Many mails went to this address lately.' },
  noMailToInvite: {
    kind: 'invalid',
    text: 'No mail server is configured, so that nobody can be invited.',
  },
  noMailToVerify: {
    kind: 'invalid',
    text: 'No mail server is configured, so that no address can be verified.',
  },
  noMailToRecover: { kind: 'invalid', text: 'No mail server is configured, so that no link can be sent.' },
  noMailToSignUp: { kind: 'invalid', text: 'No mail server is configured, so that nobody can sign up.' },
  noMailServer: { kind: 'invalid', text: 'No mail server is configured, so that no mail can be sent.' },
  addressNotReachable: { kind: 'invalid', text: 'No mail can be sent to the address of the user.' },
  passwordElsewhere: {
    kind: 'invalid',
    text: 'The user signs in at the identity provider, and has no password here.',
  },
  tooManyDomains: { kind: 'invalid', text: 'A tenant may have {limit} domains.' },
  domainNotProven: { kind: 'invalid', text: 'There is no TXT record {name} with the text {value}.' },
  noSingleSignOn: { kind: 'notFound', text: 'This tenant has no single sign-on.' },
  singleSignOnNeedsAdmin: {
    kind: 'forbidden',
    text: 'Only a signed-in administrator may change single sign-on.',
  },
  providerNotReachable: {
    kind: 'unavailable',
    text: 'The identity provider cannot be reached right now.',
  },
  viewsNeedUser: { kind: 'forbidden', text: 'Views belong to a user, and this API key acts for none.' },
  tooManyViews: { kind: 'invalid', text: 'A user has at most {limit} views. Delete one first.' },
  tooManySharedViews: {
    kind: 'invalid',
    text: 'A tenant has at most {limit} shared views. Delete one first.',
  },
  viewTooLarge: { kind: 'invalid', text: 'What a view shows must not be larger than {limit} kB.' },
  viewOfOther: {
    kind: 'forbidden',
    text: 'Only its owner, or whoever has the permission view:share, changes a shared view.',
  },

  signUpOff: { kind: 'forbidden', text: 'Signing up is turned off here.' },
  signUpByHost: { kind: 'notFound', text: 'Only the host tenant signs up tenants.' },
  signUpDecidedByHost: { kind: 'forbidden', text: 'Only the host tenant decides on sign-ups.' },
  planSetByHost: { kind: 'forbidden', text: 'Only the host sets the plan of a tenant.' },
  settingSetByHost: { kind: 'forbidden', text: '{setting}: only the host changes this setting.' },
  settingsTooLarge: {
    kind: 'invalid',
    text: 'The settings of a tenant must not be larger than {limit} KiB together.',
  },
  logoType: { kind: 'invalid', text: 'The logo must be a PNG, WebP or SVG picture.' },
  logoTooLarge: { kind: 'invalid', text: 'The logo must have at most {limit} × {limit} pixels.' },
  logoBroken: { kind: 'invalid', text: 'The logo {fault}.' },
  hostStaysActive: { kind: 'invalid', text: 'The host tenant cannot be deactivated.' },
  hostStaysInDatabase: {
    kind: 'invalid',
    text: 'The host tenant stays in the database of the service.',
  },
  hostIsNoTarget: {
    kind: 'invalid',
    text: 'The host tenant can be neither exported, moved nor erased.',
  },
  tenantIsActive: { kind: 'conflict', text: 'The tenant is active. Deactivate it first.' },
  tenantIsErased: { kind: 'conflict', text: 'The tenant is being erased.' },
  tenantIsMoved: { kind: 'conflict', text: 'The tenant is being moved to another database.' },
  tenantIsImported: { kind: 'conflict', text: 'An import of this tenant is not finished.' },
  otherOperation: { kind: 'conflict', text: 'Another operation is not finished: {kind}.' },
  noOwnDatabase: { kind: 'invalid', text: 'The tenant has no database of its own.' },
  otherDatabaseState: { kind: 'conflict', text: 'The database is {status}, and not {accepted}.' },
  otherDatabase: { kind: 'conflict', text: 'The tenant was assigned another database meanwhile.' },
  tenantsNotCounted: { kind: 'unavailable', text: 'Counting the tenants takes too long.' },

  tooManySubscriptions: { kind: 'invalid', text: 'A tenant has {limit} subscriptions at most.' },
  tooManySubscriptionsOfCustomer: {
    kind: 'invalid',
    text: 'A customer has {limit} subscriptions at most.',
  },
  subscribingNeedsAdmin: { kind: 'forbidden', text: 'Only an administrator may subscribe to {events}.' },
  subscribingNeedsPermission: {
    kind: 'forbidden',
    text: 'Subscribing to {events} requires the permission {permission}.',
  },
  subscriptionOfAdmin: {
    kind: 'forbidden',
    text: 'Only an administrator may do this: the subscription gets events for administrators.',
  },
  subscriptionBeyondPortal: {
    kind: 'forbidden',
    text: 'The subscription gets {event}, which whoever opened this portal session may not see.',
  },
  subscriptionOfCustomer: {
    kind: 'forbidden',
    text: 'The subscriptions of this portal session belong to its customer.',
  },
  eventsBeyondPortal: { kind: 'forbidden', text: 'This portal session may not subscribe to {events}.' },
  notInPortal: { kind: 'forbidden', text: 'A portal session may not call this.' },
  tooManyPortalSessions: { kind: 'invalid', text: 'A tenant has {limit} portal sessions at a time.' },
  tooManyProviders: { kind: 'invalid', text: 'A tenant has {limit} providers at most.' },
  tooManyRules: { kind: 'invalid', text: 'A tenant has {limit} rules at most.' },
  actionNeedsAdmin: { kind: 'forbidden', text: 'Only an administrator may run the action {action}.' },
  actionNeedsPermission: {
    kind: 'forbidden',
    text: 'Running the action {action} requires the permission {permission}.',
  },
  tooManyReplays: {
    kind: 'invalid',
    text: 'Too many actions wait for this receipt. Try again when they have run.',
  },
  publishingNeedsAdmin: {
    kind: 'forbidden',
    text: 'Only an administrator may publish an event of the catalogue.',
  },
  jobNotFailed: { kind: 'invalid', text: 'Only a failed job can be retried. This one is {status}.' },
  mailNotDead: { kind: 'invalid', text: 'Only a mail that is DEAD can be retried. This one is {status}.' },
  mailExpired: {
    kind: 'invalid',
    text: 'The links in the mail have expired. It cannot be sent any more.',
  },
  mailNotKept: {
    kind: 'notFound',
    text: 'What a mail says is kept in development alone, without a mail server, for the newest mails.',
  },

  orderNotPending: { kind: 'invalid', text: 'The order is {status}: only a PENDING one can be changed.' },
  orderState: { kind: 'invalid', text: 'The order is {status} and cannot become {next}.' },
  amountTooLarge: { kind: 'invalid', text: 'An amount would be larger than {limit}.' },
  searchTooLong: { kind: 'invalid', text: 'The search term is longer than {limit} characters.' },
  searchEmpty: { kind: 'invalid', text: 'The search term is empty.' },

  fileEmpty: { kind: 'invalid', text: 'The file is empty.' },
  fileTooLarge: { kind: 'tooLarge', text: 'The file is larger than {limit} bytes.' },
  filesTooLarge: { kind: 'tooLarge', text: 'The files of the tenant would have more than {limit} bytes.' },
  fileTypeNotAccepted: { kind: 'unsupportedMediaType', text: 'Files of the type {type} are not accepted.' },
  otherFileType: { kind: 'unsupportedMediaType', text: 'The content of the file is not {type}.' },
  tooManyTransfers: { kind: 'overloaded', text: 'Too many files are being transferred.' },
  linkExpired: { kind: 'notFound', text: 'The link is not valid, or has expired.' },
  noRoomForFile: { kind: 'unavailable', text: 'The service has no room for the file.' },
  filesNotReachable: { kind: 'unavailable', text: 'The store of files cannot be reached.' },
  backupInProgress: {
    kind: 'unavailable',
    text: 'A backup is copying the files. Try again after it.',
  },
} as const

/** The codes for which every language of the service must have a text. */
export type ReadRefusal = keyof typeof refusals
