// Khronos validator over the files named on stdin (one a line): JSON {file: {severity: {code: count}}}.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';

const files = readFileSync(0, 'utf8').split('\n').filter(Boolean);
const reports = {};
for (const file of files) {
  const beside = (uri) => Promise.resolve(new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))));
  const options = { externalResourceFunction: beside, maxIssues: 0 };
  try {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), options);
    const counts = [{}, {}, {}, {}];
    for (const { severity, code } of report.issues.messages) counts[severity][code] = (counts[severity][code] ?? 0) + 1;
    reports[file] = { errors: counts[0], warnings: counts[1], infos: counts[2] };
    reports[file].first = report.issues.messages.filter((m) => m.severity < 2).slice(0, 5).map((m) => `${m.code} ${m.pointer}: ${m.message}`);
  } catch (error) {
    reports[file] = { errors: { UNREADABLE: 1 }, warnings: {}, infos: {}, first: [String(error)] };
  }
}
process.stdout.write(JSON.stringify(reports));
