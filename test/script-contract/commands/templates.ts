import { expect } from 'vitest';
import type { CommandSpec } from '../command-spec.js';

const PLANS = 'a plan compares what the server says with files';

export const templates: CommandSpec[] = [
  {
    command: 'templates create',
    calls: 'service',
    args: ({ unique }) => ['--name', unique, '--subject=Hi', '--html=x'],
  },
  {
    command: 'templates list',
    calls: 'service',
    args: async (fixture) => {
      await fixture.template();
      return [];
    },
    wrong: ['--limit=0'],
  },
  {
    command: 'templates get',
    calls: 'service',
    args: async (fixture) => [(await fixture.template()).id],
    unknown: ['tpl_none'],
  },
  {
    command: 'templates update',
    calls: 'service',
    args: async (fixture) => [(await fixture.template()).id, '--subject=Hello', '--yes'],
    unknown: ['tpl_none', '--subject=Hello', '--yes'],
  },
  {
    command: 'templates delete',
    calls: 'service',
    args: async (fixture) => [(await fixture.template()).id, '--yes'],
    prints: () => ({ id: expect.stringMatching(/^tpl_/), deleted: true }),
    unknown: ['tpl_none', '--yes'],
  },
  {
    command: 'templates render',
    calls: 'service',
    args: async (fixture) => [(await fixture.template()).id, '--var=who=Ada'],
    unknown: ['tpl_none'],
  },
  {
    command: 'templates render',
    when: 'of files',
    calls: 'nothing',
    args(fixture) {
      fixture.writeTemplate('hi');
      return ['templates/hi'];
    },
    prints: () => ({ subject: 'Hi Ada', html: '<p>Ada</p>', text: '' }),
  },
  {
    command: 'templates render',
    when: 'watching',
    calls: 'nothing',
    args(fixture) {
      fixture.writeTemplate('hi');
      return ['templates/hi', '--watch'];
    },
    longRunning: {
      readyOn: 'stdout',
      trigger: async (fixture) => fixture.write('templates/hi/sample.json', '{"who":"Bob"}'),
      exits: { SIGINT: 130, SIGTERM: 143 },
    },
  },
  {
    command: 'templates init',
    calls: 'nothing',
    args: () => ['welcome', 'mine'],
    prints: ({ folder }) => ({ starter: 'welcome', directory: `${folder}/mine` }),
    wrong: ['welcom'],
  },
  {
    command: 'templates init',
    when: 'to list the starters',
    calls: 'nothing',
    prints: () => ({ starters: expect.arrayContaining(['welcome']) }),
  },
  {
    command: 'templates check',
    calls: 'nothing',
    args: (fixture) => {
      fixture.writeTemplate('hi');
      return ['templates', '--fail-on', 'error'];
    },
    prints: () => ({ passed: true, templates: [expect.objectContaining({ name: 'hi', score: expect.any(Number) })] }),
    wrong: ['nowhere'],
  },
  {
    command: 'templates screenshot',
    calls: 'nothing',
    args: (fixture) => {
      fixture.writeTemplate('hi');
      return ['templates', '--no-sandbox'];
    },
    prints: () => ({ pictures: [expect.objectContaining({ name: 'hi', width: 600 })] }),
    wrong: ['nowhere'],
  },
  {
    command: 'templates dev',
    calls: 'nothing',
    args: (fixture) => {
      fixture.writeTemplate('hi');
      return ['templates', '--print', '--port', '0'];
    },
    wrong: ['nowhere'],
    longRunning: {
      readyOn: 'stderr',
      trigger: async () => {},
      exits: { SIGINT: 0, SIGTERM: 0 },
      outlivesReader: true,
    },
  },
  {
    command: 'templates diff',
    calls: 'service',
    args(fixture) {
      fixture.writeTemplate(fixture.unique);
      return ['templates'];
    },
    code: 3,
    prints: () => ({ differs: true, steps: expect.any(Array), errors: [], warnings: [] }),
    wrong: ['nowhere'],
  },
  {
    command: 'templates pull',
    calls: 'service',
    args: async (fixture) => {
      await fixture.template();
      return ['templates'];
    },
    controlCharactersExemption: PLANS,
    prints: () => ({ steps: expect.any(Array) }),
  },
  {
    command: 'templates pull',
    when: 'over files that differ',
    calls: 'service',
    args: async (fixture) => {
      const { name } = await fixture.template();
      fixture.writeTemplate(name);
      fixture.write(`templates/${name}/body.html`, 'mine');
      return ['templates'];
    },
    controlCharactersExemption: PLANS,
    code: 1,
    prints: ({ unique }) => ({
      steps: expect.arrayContaining([expect.objectContaining({ name: unique, action: 'conflict' })]),
    }),
  },
  {
    command: 'templates push',
    calls: 'service',
    args(fixture) {
      fixture.writeTemplate(fixture.unique);
      return ['templates', '--yes'];
    },
    controlCharactersExemption: PLANS,
    prints: ({ unique }) => ({
      applied: true,
      steps: expect.arrayContaining([expect.objectContaining({ name: unique, action: 'create', result: 'applied' })]),
      errors: [],
      warnings: [],
    }),
    wrong: ['nowhere'],
  },
];
