/**
 * SQL for migrations. The permissions `incomingWebhook:…` once included the providers of incoming webhooks, which
 * now have permissions of their own. Stored roles and API keys with the former permissions also get the new ones.
 */

/** SQL: the stored list of permissions with those for providers. */
export const withProviderPermissions = ['read', 'write'].reduce(
  (list, verb) =>
    `replace(${list}, '"incomingWebhook:${verb}"', '"incomingWebhook:${verb}","webhookProvider:${verb}"')`,
  'permissions',
)

/** SQL: whether the list changes. */
export const hasProviders = `permissions LIKE '%"incomingWebhook:%'`
