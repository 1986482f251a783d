import { afterAllParsing, afterParsing } from '../../mail/inbound/message-reader.js';
import type { ControlHandlers } from './context.js';
import { getDelivery, listDeliveries, replayDeliveries, streamDeliveries } from './deliveries.js';
import {
  captureMessage,
  deleteEmail,
  deleteSelectedEmails,
  markEmails,
  restoreEmails,
  updateEmail,
} from './emails/change.js';
import { checkEmailContent, checkEmailLinks, viewEmail } from './emails/check.js';
import { capturedEmail, deliveredHtml, emailAttachment, emailText, inspectEmail, rawEmail } from './emails/inspect.js';
import { releaseEmail, resendEmail } from './emails/release.js';
import { countEmails, searchEmails } from './emails/search.js';
import { waitForEmails } from './emails/wait.js';
import { createInboxCode, createInboxUrls, createPreview } from './inbox.js';
import {
  getSmtpSession,
  listAudit,
  listRequests,
  listSmtpSessions,
  streamRequests,
  streamSmtpSessions,
} from './logs.js';
import { compact, health, info, settle, streamEvents, summary } from './server.js';
import { advanceClock, getClock, updateClock } from './simulation/clock.js';
import { listRecords, publishRecord } from './simulation/dns-records.js';
import { clearFaults, createFault, deleteFault, listFaults } from './simulation/faults.js';
import { createRule, deleteRule, listRules } from './simulation/rules.js';
import { simulateEmail } from './simulation/simulate-email.js';
import { exportState, importState, resetServer } from './state.js';
import { createSuppression, deleteSuppression, listSuppressions } from './suppressions.js';
import { reportWarnings } from './warning-report.js';
import { inspectWebhooks, listenToWebhooks, triggerEvent } from './webhooks.js';
import {
  createWorkspace,
  deleteWorkspace,
  inspectApiKeys,
  issueApiKey,
  listWorkspaces,
  updateWorkspace,
} from './workspaces.js';

/** The handler of every endpoint of the control API. */
export const controlHandlers = {
  health,
  info,
  summary,
  settle,
  'events.stream': streamEvents,
  'emails.search': searchEmails,
  'emails.counts': countEmails,
  'emails.capture': captureMessage,
  'emails.wait': waitForEmails,
  'emails.inspect': afterParsing(inspectEmail),
  'emails.captured': afterParsing(capturedEmail),
  'emails.text': afterParsing(emailText),
  'emails.delete': deleteEmail,
  'emails.delete_selected': afterAllParsing(deleteSelectedEmails),
  'emails.restore': restoreEmails,
  'emails.update': afterParsing(updateEmail),
  'emails.mark': afterAllParsing(markEmails),
  'emails.resend': afterParsing(resendEmail),
  'emails.release': afterParsing(releaseEmail),
  'emails.check': afterParsing(checkEmailContent),
  'emails.check_links': afterParsing(checkEmailLinks),
  'emails.view': afterParsing(viewEmail),
  'emails.raw': afterParsing(rawEmail),
  'emails.delivered_html': afterParsing(deliveredHtml),
  'emails.attachment': afterParsing(emailAttachment),
  'inbox.code': createInboxCode,
  'inbox.urls': createInboxUrls,
  'inbox.preview': createPreview,
  'webhooks.inspect': inspectWebhooks,
  'webhooks.listen': listenToWebhooks,
  'emails.simulate': afterParsing(simulateEmail),
  'rules.list': listRules,
  'rules.create': createRule,
  'rules.delete': deleteRule,
  'faults.list': listFaults,
  'faults.create': createFault,
  'faults.delete': deleteFault,
  'faults.clear': clearFaults,
  'suppressions.list': listSuppressions,
  'suppressions.create': createSuppression,
  'suppressions.delete': deleteSuppression,
  'api-keys.inspect': inspectApiKeys,
  'api-keys.issue': issueApiKey,
  'workspaces.list': listWorkspaces,
  'workspaces.create': createWorkspace,
  'workspaces.update': updateWorkspace,
  'workspaces.delete': deleteWorkspace,
  'clock.get': getClock,
  'clock.advance': advanceClock,
  'clock.update': updateClock,
  'events.trigger': triggerEvent,
  'deliveries.list': listDeliveries,
  'deliveries.get': getDelivery,
  'deliveries.stream': streamDeliveries,
  'deliveries.replay': replayDeliveries,
  'dns.list': listRecords,
  'dns.update': publishRecord,
  'requests.list': listRequests,
  'requests.stream': streamRequests,
  'smtp-sessions.list': listSmtpSessions,
  'smtp-sessions.stream': streamSmtpSessions,
  'smtp-sessions.get': getSmtpSession,
  'audit.list': listAudit,
  report: reportWarnings,
  reset: resetServer,
  export: exportState,
  import: importState,
  compact,
} satisfies ControlHandlers;
