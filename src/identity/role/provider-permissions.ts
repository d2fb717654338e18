/**
 * Providers of incoming webhooks once had the permissions of rules, `incomingWebhook:…`. Roles and API keys that tenants
 * gave these to keep the providers.
 */

/** SQL: the stored list of permissions with those for providers. */
export const withProviderPermissions = ['read', 'write'].reduce(
  (list, verb) =>
    `replace(${list}, '"incomingWebhook:${verb}"', '"incomingWebhook:${verb}","webhookProvider:${verb}"')`,
  'permissions',
)

/** SQL: whether the list changes. */
export const hasProviders = `permissions LIKE '%"incomingWebhook:%'`
