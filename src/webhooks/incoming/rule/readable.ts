/**
 * The list of rules and one rule, in REST and GraphQL: administrators read the rules
 * of all users, others their own.
 */
import { isAdmin } from '../../../core/actor.ts'
import { completedText } from '../../../core/completion.ts'
import { ownerOf } from '../../../core/ownership.ts'
import { columnIs } from '../../../database/read/conditions.ts'
import { readable } from '../../../entity/readable.ts'
import { maxOwnerBytes, shownOwner } from '../../shown-owner.ts'
import { Rule } from './schema.ts'

export const rules = readable({
  name: 'webhookRule',
  plural: 'webhookRules',
  label: 'rule',
  row: Rule,
  table: 'webhook_rule',
  path: '/api/webhooks/rules',
  tag: 'Incoming webhooks',
  access: 'incomingWebhook:read',
  isWhole: true, // a tenant has few: a request without parameters gets all, without pages
  filters: ['id', 'provider', 'eventType', 'action', 'isActive', 'createdAt'],
  sorts: ['provider', 'eventType', 'action'],
  reach: ({ actor }) => (isAdmin(actor) ? null : columnIs('owner', ownerOf(actor))),
  members: {
    owner: { completed: shownOwner, jsonBytes: maxOwnerBytes },
    unknownAction: {
      column: 'action',
      completed: completedText(({ shared }, actions) =>
        actions.map((action) => !shared.actions.declared.has(action)),
      ),
    },
  },
  documents: {
    list: {
      summary: 'List the rules for incoming webhooks',
      description:
        'The rules that you made, or as an administrator all of the tenant, in the order of creation. With `limit` or `cursor`, one page.',
    },
    get: {
      summary: 'Get a rule',
      description: 'A rule that you made, or as an administrator any of the tenant.',
    },
  },
})
