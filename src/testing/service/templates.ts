import type { ServiceClient } from '../../client/service-client.js';
import type { Templates } from '../api/server.js';

/** Returns the functions for templates. */
export function createTemplates(client: ServiceClient): Templates {
  return {
    create: (template) => client.call('templates.create', { body: template }),
    get: (id) => client.call('templates.get', { params: { id } }),
    update: (id, change) => client.call('templates.update', { params: { id }, body: change }),
    delete: (id) => client.call('templates.delete', { params: { id } }),
    render: (id, variables = {}) => client.call('templates.render', { params: { id }, body: { variables } }),
  };
}
