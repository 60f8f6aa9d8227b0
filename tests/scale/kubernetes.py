# kubernetes.py MANIFEST DIR SEEDS: checks the manifest's structure, and runs its commands below DIR.
# SPDX-License-Identifier: Apache-2.0
"""No cluster is asked. Each index of the Job runs once, with the variables that Kubernetes would set,
and the paths of the volumes moved below DIR. Exits as the merging container would."""
import os
import subprocess
import sys

import yaml


def require(condition, what):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {what}")


def container_of(job):
    require(job["apiVersion"] == "batch/v1" and job["kind"] == "Job", "both documents are Jobs")
    pod = job["spec"]["template"]["spec"]
    require(pod["restartPolicy"] == "Never", "a Job of pods that restart by themselves")
    (container,) = pod["containers"]
    require(container["image"] == "FILL-IN-YOUR-IMAGE", "an image that the reader did not choose")
    volumes = {volume["name"] for volume in pod["volumes"]}
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    require(mounts == volumes, "a volume that is not mounted, or a mount without a volume")
    require(container["command"] == ["sh", "-c"] and len(container["args"]) == 1, "not one script")
    return container


def run(container, directory, seeds, index=None):
    script = container["args"][0].replace("1..1000000", seeds)
    for mount in container["volumeMounts"]:
        script = script.replace(mount["mountPath"] + " ", directory + mount["mountPath"] + " ")
        script = script.replace(mount["mountPath"] + "/", directory + mount["mountPath"] + "/")
        script = script.replace(mount["mountPath"] + "\n", directory + mount["mountPath"] + "\n")
    environment = dict(os.environ)
    environment.update({entry["name"]: entry["value"] for entry in container["env"]})
    if index is not None:
        environment["JOB_COMPLETION_INDEX"] = str(index)
    out = subprocess.DEVNULL if index is not None else None
    return subprocess.run(["sh", "-c", script], env=environment, stdout=out, check=False).returncode


def main():
    _, manifest, directory, seeds = sys.argv
    with open(manifest, encoding="utf-8") as file:
        check, merge = yaml.safe_load_all(file)
    spec = check["spec"]
    shards = spec["completions"]
    require(spec["completionMode"] == "Indexed", "pods without an index")
    require(1 <= spec["parallelism"] <= shards, "more pods than shards")
    for job in (check, merge):
        (variable,) = container_of(job)["env"]
        require(variable == {"name": "SHARDS", "value": str(shards)}, "SHARDS is not completions")
    for index in range(shards):
        code = run(container_of(check), directory, seeds, index)
        require(code == 0, f"shard {index + 1} ends with exit code {code}")
    sys.exit(run(container_of(merge), directory, seeds))


main()
